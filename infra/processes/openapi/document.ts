import { type ZodType, z } from 'zod';
import { routeAccess as writeAccess } from '../../../command-api/http/route-access.ts';
import { routeContracts as writeContracts } from '../../../command-api/http/route-contracts.ts';
import { routeAccess as readAccess } from '../../../projections/http/route-access.ts';
import { routeContracts as readContracts } from '../../../projections/http/route-contracts.ts';

type Contract = Readonly<{ query?: ZodType; body?: ZodType; data?: ZodType; bare?: ZodType }>;
type Json = Readonly<Record<string, unknown>>;
type Route = Readonly<{ method: string; url: string; access: string; contract: Contract }>;

const schemaOf = (schema: ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

const routesOf = (
  table: Readonly<Record<string, string>>,
  contracts: Readonly<Record<string, Contract>>,
): readonly Route[] =>
  Object.entries(table).map(([key, access]) => {
    const [method = '', url = ''] = key.split(' ');
    return { method: method.toLowerCase(), url, access, contract: contracts[key] ?? {} };
  });

const accessText: Readonly<Record<string, string>> = {
  public: 'Open to all callers.',
  visitor: 'Open to all callers; shows more to a signed-in user.',
  user: 'For every signed-in user.',
  admin: 'For administrators.',
  root: 'For the super administrator.',
  token: 'Opened by an API key.',
};

/** A session or an access token, and in both cases the header that names the user. */
const securityOf = (access: string): Json => {
  if (access === 'public' || access === 'visitor') return {};
  if (access === 'token') return { security: [{ apiKey: [] }] };
  return {
    security: [
      { session: [], userId: [] },
      { accessToken: [], userId: [] },
    ],
  };
};

const pathParameters = (url: string): readonly Json[] =>
  [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /id$/i.test(name) ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));

const queryParameters = (query: ZodType | undefined): readonly Json[] => {
  if (query === undefined) return [];
  const { properties = {} } = schemaOf(query, 'output') as { properties?: Record<string, Json> };
  const fields: Readonly<Record<string, ZodType>> = query instanceof z.ZodObject ? query.shape : {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(fields[name]?.safeParse(undefined).success === false ? { required: true } : {}),
    schema,
  }));
};

const json = (schema: Json): Json => ({ 'application/json': { schema } });

const answerOf = ({ contract, method, url }: Route): Json => {
  if (contract.bare !== undefined) return json(schemaOf(contract.bare, 'output'));
  if (method === 'get' && url.endsWith('/export')) {
    return { 'text/csv': { schema: { type: 'string' } }, ...json({}) };
  }
  const data = contract.data === undefined ? {} : schemaOf(contract.data, 'output');
  const envelope = {
    type: 'object',
    required: ['success', 'message'],
    properties: { success: { const: true }, message: { type: 'string' }, data },
  };
  return json({ anyOf: [envelope, { $ref: '#/components/schemas/Refusal' }] });
};

const operationOf = (route: Route): Json => {
  const { method, url, access, contract } = route;
  const [, , tag = 'site'] = url.split('/');
  const parameters = [...pathParameters(url), ...queryParameters(contract.query)];
  const denied = { description: 'Not signed in, or the wrong user id in the header.' };
  return {
    operationId: `${method}${url.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`,
    tags: [tag],
    description: accessText[access] ?? '',
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(contract.body === undefined
      ? {}
      : { requestBody: { required: true, content: json(schemaOf(contract.body, 'input')) } }),
    responses: {
      200: { description: 'Done, or refused with `success: false`.', content: answerOf(route) },
      ...(access === 'public' || access === 'visitor' ? {} : { 401: denied }),
      429: { description: 'Too many calls from this address.' },
    },
    ...securityOf(access),
  };
};

const refusal: Json = {
  type: 'object',
  required: ['success', 'code', 'message'],
  properties: {
    success: { const: false },
    code: { type: 'string', description: 'Stays the same in every language.' },
    message: { type: 'string', description: 'In the language of `Accept-Language`.' },
  },
};

const securitySchemes: Json = {
  session: { type: 'apiKey', in: 'cookie', name: 'session' },
  accessToken: { type: 'http', scheme: 'bearer', description: 'GET /api/user/token gives one.' },
  userId: { type: 'apiKey', in: 'header', name: 'New-Api-User', description: 'Id of the caller.' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the token list, `sk-…`.' },
};

/** The console API in OpenAPI 3.1, out of the same schemas that check its requests and answers. */
export const openApiDocument = (version: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  const routes = [...routesOf(writeAccess, writeContracts), ...routesOf(readAccess, readContracts)];
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate console API', version },
    paths,
    components: { schemas: { Refusal: refusal }, securitySchemes },
  };
};
