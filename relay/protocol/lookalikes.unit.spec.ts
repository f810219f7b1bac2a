import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isApiError } from './api-error.ts';
import { scannedForm, scannedOrError } from './normalise.ts';

const names = [
  ...['model', 'messages', 'max_tokens', 'max_output_tokens', 'n', 'input', 'stream', 'system'],
  ...['contents', 'generationConfig', 'cachedContent', 'previous_response_id', 'tools', 'prompt'],
];
const holders = [
  ['generationConfig', 'maxOutputTokens'],
  ['generation_config', 'candidateCount'],
  ['options', 'num_predict'],
  ['thinking', 'budget_tokens'],
  ['reasoning', 'effort'],
] as const;

const wide = (letter: string): string =>
  String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
const asEscape = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
const plain = (letter: string): string => letter;
const spellings = { same: plain, case: otherCase, wide, escape: asEscape };

/** One letter or more written in another way, as a key of JSON. */
const disguised = (name: string) =>
  fc
    .array(fc.constantFrom(...(['same', 'case', 'wide', 'escape'] as const)), {
      minLength: name.length,
      maxLength: name.length,
    })
    .map((ways) =>
      [...name]
        .map((letter, at) => (letter === '_' ? letter : spellings[ways[at] ?? 'same'](letter)))
        .join(''),
    )
    .filter((key) => key !== name);

const refusal = (text: string): unknown => {
  const found = scannedOrError(Buffer.from(text));
  return isApiError(found) ? found.code : null;
};

test('a member that differs from a known one in case, width or escapes alone is refused', () => {
  const bodies = fc.constantFrom(...names).chain((name) =>
    fc.tuple(fc.constant(name), disguised(name), fc.boolean()).map(([own, key, isFirst]) => {
      const [honest, other] = [`"${own}":"a"`, `"${key}":"b"`];
      return `{${isFirst ? `${honest},${other}` : `${other},${honest}`}}`;
    }),
  );
  fc.assert(
    fc.property(bodies, (text) => {
      expect(refusal(text)).toBe('ambiguous_member');
    }),
    { numRuns: 2_000 },
  );
});

test('so is one of a limit', () => {
  const bodies = fc
    .constantFrom(...holders)
    .chain(([holder, name]) =>
      disguised(name).map((key) => `{"model":"m","${holder}":{"${name}":1,"x":{},"${key}":9}}`),
    );
  fc.assert(
    fc.property(bodies, (text) => {
      expect(refusal(text)).toBe('ambiguous_member');
    }),
    { numRuns: 1_000 },
  );
});

test('readers that fold a letter to another one find none', () => {
  for (const key of ['me\u017f\u017fages', 'thin\u212aing', 'ＭＯＤＥＬ', 'cachedcontent']) {
    expect(refusal(`{"${key}":1}`)).toBe('ambiguous_member');
  }
});

test('the refusal names the member and how it is written', () => {
  const found = scannedOrError(Buffer.from('{"model":"a","Model":"b"}'));
  expect(found).toMatchObject({ status: 400, param: 'Model' });
  expect(JSON.stringify(found)).toContain('write \\"model\\"');
});

test('what clients send is not refused', () => {
  const body = {
    model: 'm',
    messages: [{ role: 'user', content: 'Model', Content: 1 }],
    logit_bias: {},
    parallel_tool_calls: true,
    safetySettings: [],
    toolConfig: {},
    anthropic_beta: [],
    metadata: { Model: 1, user_id: 'x' },
    generationConfig: { topP: 1, responseMimeType: 'text/plain', maxOutputTokens: 3 },
    response_format: { type: 'json_schema', json_schema: { schema: { properties: { N: {} } } } },
    tools: [{ function: { parameters: { properties: { Model: {}, INPUT: {} } } } }],
    'x-own': 1,
    größe: 1,
  };
  expect(refusal(JSON.stringify(body))).toBeNull();
});

test('a field of a form is refused alike', () => {
  const field = (name: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
  const form = (...fields: string[]) =>
    scannedForm(
      Buffer.from(`${fields.map(field).join('')}--b--\r\n`),
      'multipart/form-data; boundary=b',
    );
  expect(isApiError(form('model', 'prompt'))).toBe(false);
  expect(form('model', 'Model')).toMatchObject({ code: 'ambiguous_member', param: 'Model' });
});
