import { type ZodType, z } from 'zod';
import { writeRoutes } from '../../../command-api/contract/routes.ts';
import {
  answerSchemas,
  methodAndUrl,
  type RouteDeclaration,
  type RouteTable,
} from '../../../infra/web/route.ts';
import { readRoutes } from '../../../projections/contract/routes.ts';
import { components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

const schemaOf = (schema: ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

const accessText: Readonly<Record<string, string>> = {
  public: 'Open to all callers.',
  visitor: 'Open to all callers; shows more to a signed-in user.',
  user: 'For every signed-in user.',
  admin: 'For administrators.',
  root: 'For the super administrator.',
  token: 'Opened by an API key.',
};
const isOpen = (access: string): boolean => access === 'public' || access === 'visitor';

/** A session or an access token, and in both cases the header that names the user. */
const securityOf = (access: string): Json => {
  if (isOpen(access)) return {};
  if (access === 'token') return { security: [{ apiKey: [] }] };
  return {
    security: [
      { session: [], userId: [] },
      { accessToken: [], userId: [] },
    ],
  };
};

const parametersIn = (place: 'path' | 'query', declared: ZodType | undefined): readonly Json[] => {
  if (declared === undefined) return [];
  const { properties = {} } = schemaOf(declared, 'output') as { properties?: Record<string, Json> };
  const fields: Readonly<Record<string, ZodType>> =
    declared instanceof z.ZodObject ? declared.shape : {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    ...(fields[name]?.safeParse(undefined).success === false ? { required: true } : {}),
    schema,
  }));
};

const bodyOf = ({ body, statusBody, guards }: RouteDeclaration): Json => {
  if (body === undefined) return {};
  const schema = schemaOf(body, 'input');
  const either = statusBody && {
    anyOf: [schema, { ...schemaOf(statusBody, 'input'), title: 'With ?status_only=true' }],
  };
  const type = guards?.includes('form') ? 'application/x-www-form-urlencoded' : 'application/json';
  return { requestBody: { required: true, content: { [type]: { schema: either ?? schema } } } };
};

const refusalSchema = { $ref: '#/components/schemas/Refusal' };

const answerOf = (route: RouteDeclaration): Json => {
  if (route.redirect !== undefined) {
    return {
      200: { $ref: '#/components/responses/Refused' },
      302: { description: `Done; leads to \`${route.redirect}\`.` },
    };
  }
  const isEnveloped = [route.bare, route.text, route.row, route.event].every((part) => !part);
  const content = Object.entries(answerSchemas(route)).map(([type, declared]) => {
    const schema = schemaOf(declared, 'output');
    return [type, { schema: isEnveloped ? { anyOf: [schema, refusalSchema] } : schema }] as const;
  });
  const description = isEnveloped ? 'Done, or refused with `success: false`.' : 'Done.';
  return { 200: { description, content: Object.fromEntries(content) } };
};

const errorsOf = ({ access }: RouteDeclaration): Json => {
  const ref = (name: string): Json => ({ $ref: `#/components/responses/${name}` });
  const key = { 401: ref('KeyRefused'), 403: ref('KeyRefused') };
  const person = { ...(isOpen(access) ? {} : { 401: ref('NotSignedIn') }), 403: ref('Forbidden') };
  return {
    ...(access === 'token' ? key : person),
    429: ref('TooMany'),
    500: ref('Fault'),
    503: ref('Unavailable'),
  };
};

const operationOf = (key: string, route: RouteDeclaration): Json => {
  const { method, url } = methodAndUrl(key);
  const { access, description, params, query } = route;
  const [, , tag = 'site'] = url.split('/');
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)];
  return {
    operationId: `${method.toLowerCase()}${url.replace(/[^A-Za-z0-9]+/g, '_').replace(/_$/, '')}`,
    tags: [tag],
    description: `${description} ${accessText[access]}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(route),
    responses: { ...answerOf(route), ...errorsOf(route) },
    ...securityOf(access),
  };
};

/** The console API in OpenAPI 3.1, from the declarations that its rooms serve. */
export const openApiDocument = (version: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  const routes: RouteTable = { ...writeRoutes, ...readRoutes };
  for (const [key, route] of Object.entries(routes)) {
    const { method, url } = methodAndUrl(key);
    const path = url.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(key, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate console API', version },
    paths,
    components,
  };
};
