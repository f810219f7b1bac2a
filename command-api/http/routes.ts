import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import type { RouteKey } from './route-access.ts';

export type Handler = (call: Call) => Promise<Answer>;
/** The routes of one aggregate: `METHOD path` of the access table, and what answers. */
export type Routes = Readonly<Partial<Record<RouteKey, Handler>>>;

export type Endpoint = Readonly<{ key: RouteKey; method: HTTPMethods; url: string }>;

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** @throws when a key is no method and path */
export const endpointOf = (key: RouteKey): Endpoint => {
  const [name, url] = key.split(' ');
  const method = methods.find((known) => known === name);
  if (!method || !url) throw new Error(`${key} is not a method and a path`);
  return { key, method, url };
};

/** Both forms of a path are served, because a redirect loses headers in some clients. */
export const formsOf = (app: FastifyInstance, url: string): string[] => {
  const bare = url.replace(/\/$/, '');
  const options = app.initialConfig;
  const router = options.routerOptions as { ignoreTrailingSlash?: boolean } | undefined;
  const forgiving = options.ignoreTrailingSlash === true || router?.ignoreTrailingSlash === true;
  return forgiving ? [bare] : [bare, `${bare}/`];
};
