import { type ZodObject, type ZodType, z } from 'zod';

/**
 * A route of the console API as a room declares it in its `contract/`, under `METHOD path`; the path carries
 * the trailing slash of a collection.
 */
export type RouteDeclaration = Readonly<{
  access: string;
  description: string;
  params?: ZodType;
  query?: ZodType;
  body?: ZodType;
  /** In place of `body` with `?status_only=true`. */
  statusBody?: ZodType;
  /** `data` of the envelope; absent: the envelope has none. */
  data?: ZodType;
  /** Members of the envelope next to `data`. */
  extra?: ZodObject;
  /** What the answer is in place of the envelope: JSON, plain text, rows of a file, events of a stream, or a redirect. */
  bare?: ZodType;
  text?: ZodType;
  row?: ZodType;
  event?: ZodType;
  redirect?: string;
  guards?: readonly string[];
}>;
export type RouteTable = Readonly<Record<string, RouteDeclaration>>;

/** What the schema of this part gives; undefined where the route declares none. */
type Parsed<D, P extends keyof RouteDeclaration> =
  D extends Readonly<Record<P, infer S extends ZodType>> ? z.output<S> : undefined;

/** What a handler gets of a request. */
export type RouteInput<D> = Readonly<{
  [P in 'params' | 'query' | 'body' | 'statusBody']: Parsed<D, P>;
}>;

type ReadonlyDeep<T> = unknown extends T
  ? T
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;
/** What a handler has to return for this part of the answer. */
export type Returned<D, P extends keyof RouteDeclaration> = ReadonlyDeep<Parsed<D, P>>;

/** @throws when a key is no method and path */
export const methodAndUrl = (key: string): Readonly<{ method: string; url: string }> => {
  const [method, url] = key.split(' ');
  if (!method || !url) throw new Error(`${key} is not a method and a path`);
  return { method, url };
};

type RouterConfig = Readonly<{ ignoreTrailingSlash?: boolean; routerOptions?: object }>;

/** Both forms of a path are served, because a redirect loses headers in some clients. */
export const pathForms = (url: string, config: RouterConfig): readonly string[] => {
  const bare = url.replace(/\/$/, '');
  const router: RouterConfig = config.routerOptions ?? {};
  const isLenient = config.ignoreTrailingSlash === true || router.ignoreTrailingSlash === true;
  return isLenient ? [bare] : [bare, `${bare}/`];
};

const envelopeOf = ({ data, extra }: RouteDeclaration): ZodType =>
  z.object({
    success: z.literal(true),
    message: z.string(),
    ...(data === undefined ? {} : { data }),
    ...extra?.shape,
  });

/** What an answer with status 200 carries, by media type; nothing for a redirect. A refusal has its own form. */
export const answerSchemas = (route: RouteDeclaration): Readonly<Record<string, ZodType>> => {
  const { bare, text, row, event, redirect } = route;
  if (redirect !== undefined) return {};
  if (text !== undefined) return { 'text/plain': text };
  if (event !== undefined) return { 'text/event-stream': event };
  if (row !== undefined) return { 'text/csv': z.string(), 'application/json': z.array(row) };
  return { 'application/json': bare ?? envelopeOf(route) };
};

/** What fits into a form with a few lists. */
const defaultBodyBytes = 64 * 1024;
/** Sealed and written down, the values still fit into one append to the log. */
const largeBodyBytes = 512 * 1024;

/** The largest body of a route, in bytes. */
export const bodyLimitOf = ({ guards = [] }: RouteDeclaration): number =>
  guards.includes('large-body') ? largeBodyBytes : defaultBodyBytes;
