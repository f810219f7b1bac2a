import type { RouteDeclaration, RouteInput } from '../../infra/web/route.ts';
import type { Guard } from '../contract/route.ts';
import { type RouteKey, type WriteRoutes, writeRoutes } from '../contract/routes.ts';
import type { AnswerOf, AnyAnswer } from './answer.ts';
import type { Call } from './call.ts';

export type Handler<D> = (call: Call & RouteInput<D>) => Promise<AnswerOf<D>>;
/** A handler for each route of a declared table: `METHOD path`, and what answers. */
export type Handlers<T> = { readonly [K in keyof T]: Handler<T[K]> };
/** A call of this route, with its parsed parts. */
export type CallTo<K extends RouteKey> = Call & RouteInput<WriteRoutes[K]>;

export type AnyHandler = (
  call: Call & Readonly<Record<keyof RouteInput<unknown>, unknown>>,
) => Promise<AnyAnswer>;

export const declarationOf = (key: RouteKey): RouteDeclaration => writeRoutes[key];

export const hasGuard = (key: RouteKey, guard: Guard): boolean =>
  declarationOf(key).guards?.includes(guard) ?? false;
