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
}>;
const document = openApiDocument('1.2.3') as unknown as {
  paths: Record<string, Record<string, Operation>>;
};
const operation = (method: string, path: string): Operation | undefined =>
  document.paths[path]?.[method];

test.each(allRoutes)('$key stands in the description of the API', ({ method, url, access }) => {
  const path = url.replace(/:(\w+)/g, '{$1}');
  const found = operation(method.toLowerCase(), path);
  expect(found).toBeDefined();
  const isOpen = access === 'public' || access === 'visitor';
  expect(found?.security === undefined).toBe(isOpen);
});

test('it has nothing that the tables do not have, and each operation has its own name', () => {
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
