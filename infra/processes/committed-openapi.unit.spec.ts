import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { committedOpenApi, openApiText } from './committed-openapi.ts';

const committed = readFileSync(committedOpenApi, 'utf8');

test('infra/openapi.json describes the routes as they are; `npm run openapi` writes it', () => {
  expect(committed).toBe(openApiText());
});

test('infra/openapi.json is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(committed));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});
