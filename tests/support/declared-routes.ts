import { type ZodType, z } from 'zod';
import { writeRoutes } from '../../command-api/contract/routes.ts';
import { answerSchemas, type RouteDeclaration, type RouteTable } from '../../infra/web/route.ts';
import { readRoutes } from '../../projections/contract/routes.ts';

const declared: RouteTable = { ...readRoutes, ...writeRoutes };

/** Those without parameters first: `/api/user/self` is not `/api/user/:id`. */
const patterns = Object.entries(declared)
  .map(([key, route]) => {
    const form = key.replace(/\/$/, '').replace(/:\w+/g, '[^/]+');
    return { key, route, pattern: new RegExp(`^${form}/?$`) };
  })
  .sort((a, b) => Number(a.key.includes(':')) - Number(b.key.includes(':')));

/** `called` is a method and a path. Undefined for calls that are no part of the console API. */
export const routeOf = (called: string): RouteDeclaration | undefined =>
  patterns.find(({ pattern }) => pattern.test(called))?.route;

/** The same schema, with no member that it does not name; `partial`: any member may be left out. */
export const exactly = (schema: ZodType, extent: 'whole' | 'partial' = 'whole'): ZodType => {
  const inner = (part: unknown) => exactly(part as ZodType, extent);
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall !== undefined) return schema;
    const members = Object.entries(schema.shape).map(([name, member]) => {
      const exact = inner(member);
      return [name, extent === 'partial' ? exact.optional() : exact] as const;
    });
    return z.strictObject(Object.fromEntries(members));
  }
  if (schema instanceof z.ZodArray) return z.array(inner(schema.element));
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(inner));
  if (schema instanceof z.ZodNullable) return inner(schema.unwrap()).nullable();
  if (schema instanceof z.ZodOptional) return inner(schema.unwrap()).optional();
  return schema;
};

const refusal = z.strictObject({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  /** Of payments, whose `message` is `error`. */
  data: z.string().optional(),
  /** Of faults. */
  request_id: z.string().optional(),
});
const keyRefusal = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.literal('tollgate_error'),
    param: z.null(),
    code: z.string(),
  }),
});

const exactSchemas = new Map<RouteDeclaration, ZodType | undefined>();
const exactAnswer = (route: RouteDeclaration, type: string): ZodType | undefined => {
  if (!exactSchemas.has(route)) {
    const schema = answerSchemas(route)[type];
    exactSchemas.set(route, schema && exactly(schema));
  }
  return exactSchemas.get(route);
};

const schemaFor = (route: RouteDeclaration, status: number, body: unknown): ZodType | undefined => {
  const isRefused = typeof body === 'object' && body !== null && 'success' in body && !body.success;
  const hasResult = route.extra?.shape.success !== undefined && status === 200;
  if (isRefused) return hasResult ? z.union([refusal, z.looseObject({})]) : refusal;
  return status === 200 ? exactAnswer(route, 'application/json') : keyRefusal;
};

/** @throws when the JSON of an answer is not what its route declares */
export const checkAnswer = (called: string, status: number, body: unknown): void => {
  const route = routeOf(called.replace(/\?.*$/, ''));
  const error = route && schemaFor(route, status, body)?.safeParse(body).error;
  if (error) throw new Error(`${called} does not answer as declared: ${z.prettifyError(error)}`);
};
