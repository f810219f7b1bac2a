import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { allRoutes } from '../../../tests/support/all-routes.ts';
import { registerOpenApi } from '../register-openapi.ts';
import { openApiDocument } from './document.ts';

type Operation = Readonly<{
  operationId: string;
  requestBody?: { content: { 'application/json': { schema: Record<string, unknown> } } };
  parameters?: readonly { name: string; in: string }[];
  security?: readonly object[];
  responses: Readonly<Record<string, object>>;
}>;
const document = openApiDocument('1.2.3') as unknown as {
  paths: Record<string, Record<string, Operation>>;
};
const operation = (method: string, path: string): Operation | undefined =>
  document.paths[path]?.[method];

test.each(allRoutes)('$key is in the description of the API', ({ method, url, access }) => {
  const path = url.replace(/:(\w+)/g, '{$1}');
  const found = operation(method.toLowerCase(), path);
  expect(found).toBeDefined();
  const isOpen = access === 'public' || access === 'visitor';
  expect(found?.security === undefined).toBe(isOpen);
});

test('it has nothing that is not declared, and each operation has its own name', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(allRoutes.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(allRoutes.length);
});

test('bodies, paths and queries are described by what checks them', () => {
  const login = operation('post', '/api/user/login')?.requestBody?.content['application/json'];
  expect(login?.schema).toMatchObject({
    type: 'object',
    required: ['username', 'password'],
    properties: { username: { type: 'string', maxLength: 64 } },
  });
  const names = operation('get', '/api/log/')?.parameters?.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['p', 'page_size', 'model_name']));
  expect(operation('get', '/api/user/{id}')?.parameters).toMatchObject([
    { name: 'id', in: 'path' },
  ]);
});

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { schema: Schema }>>;
type Response = Readonly<{ content?: Content; $ref?: string }>;

/** A schema that allows anything, itself or as `data` of an envelope. */
const isEmpty = (schema: Schema | undefined): boolean => {
  if (schema === undefined || Object.keys(schema).length === 0) return true;
  const { anyOf = [], properties = {} } = schema as {
    anyOf?: Schema[];
    properties?: Readonly<Record<string, Schema>>;
  };
  return anyOf.some(isEmpty) || ('data' in properties && isEmpty(properties.data));
};

test('no operation has an empty response', () => {
  const empty = allRoutes.filter(({ method, url }) => {
    const found = operation(method.toLowerCase(), url.replace(/:(\w+)/g, '{$1}'));
    const { content, $ref }: Response = found?.responses[200] ?? {};
    const schemas = Object.values(content ?? {}).map(({ schema }) => schema);
    return $ref === undefined && (schemas.length === 0 || schemas.some(isEmpty));
  });
  expect(empty.map(({ key }) => key)).toEqual([]);
});

test('an export has the filters of its list, and no pages', () => {
  const filters = (path: string) =>
    operation('get', path)
      ?.parameters?.map(({ name }) => name)
      .filter((name) => !['p', 'page_size', 'format'].includes(name));
  expect(filters('/api/log/export')).toEqual(filters('/api/log/'));
  expect(filters('/api/audit/export')).toEqual(filters('/api/audit'));
  expect(filters('/api/ledger/self/export')).toEqual(filters('/api/ledger/self'));
  expect(filters('/api/ledger/{userId}/export')).toEqual(filters('/api/ledger/{userId}'));
});

test('a change of the status alone has its own body', () => {
  const content = operation('put', '/api/redemption/')?.requestBody?.content;
  expect(content?.['application/json'].schema).toMatchObject({
    anyOf: [{ required: ['name', 'quota', 'id'] }, { required: ['id', 'status'] }],
  });
});

test('it is served as JSON, with a page that shows it and loads nothing from elsewhere', async () => {
  const app = Fastify();
  registerOpenApi(app, '1.2.3');
  const answer = await app.inject('/api/openapi.json');
  expect(answer.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  const page = await app.inject('/api/docs');
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).not.toMatch(/https?:\/\//);
  expect((await app.inject('/api/docs/page.js')).body).toContain('/api/openapi.json');
});
