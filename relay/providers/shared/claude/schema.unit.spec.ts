import { expect, test } from 'vitest';
import { knowsSchemas, structuredSchema } from './schema.ts';

const text = { type: 'string' };

test('objects are closed wherever they are, and constraints are described in text', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      list: { type: 'array', minItems: 2, items: { $ref: '#/$defs/part' } },
      either: { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: text } }] },
    },
    $defs: { part: { type: 'object', properties: { name: { ...text, pattern: '^a' } } } },
  };
  expect(structuredSchema(schema)).toEqual({
    type: 'object',
    properties: {
      list: { type: 'array', items: { $ref: '#/$defs/part' }, description: '{minItems: 2}' },
      either: {
        anyOf: [
          { type: 'null' },
          { type: 'object', properties: { a: text }, additionalProperties: false },
        ],
      },
    },
    $defs: {
      part: {
        type: 'object',
        properties: { name: { ...text, description: '{pattern: "^a"}' } },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  });
});

test.each([
  ['any members', { type: 'object' }],
  ['further members', { type: 'object', properties: {}, additionalProperties: text }],
  ['members by pattern', { type: 'object', properties: {}, patternProperties: { a: text } }],
  ['itself', { type: 'object', properties: { child: { $ref: '#' } } }],
  [
    'itself by a definition',
    {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    },
  ],
  ['alternatives that exclude each other', { oneOf: [text, { type: 'number' }] }],
])('a schema of %s has no place in the grammar', (_what, schema) => {
  expect(structuredSchema(schema)).toBeNull();
});

test.each([
  ['claude-sonnet-4-5-20250929', true],
  ['anthropic.claude-opus-4-1-20250805-v1:0', true],
  ['claude-opus-4-7', true],
  ['claude-sonnet-5', true],
  ['claude-sonnet-4-20250514', false],
  ['claude-3-7-sonnet-20250219', false],
  ['claude-opus-4-20250514', false],
])('%s follows schemas: %s', (model, knows) => {
  expect(knowsSchemas(model)).toBe(knows);
});
