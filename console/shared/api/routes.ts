import type { ZodType, z } from 'zod';
import type { WriteRoutes } from '../../../command-api/contract/routes.ts';
import type { ReadRoutes } from '../../../projections/contract/routes.ts';

/** Every route of the server, as its rooms declare them. Types only: the page carries no schema. */
type Routes = ReadRoutes & WriteRoutes;
export type RouteKey = keyof Routes;

type Schema<K extends RouteKey, P extends string> =
  Routes[K] extends Readonly<Record<P, infer S extends ZodType>> ? S : never;
type Has<K extends RouteKey, P extends string, T> = [Schema<K, P>] extends [never] ? unknown : T;
type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

export type QueryValue = string | number | boolean | undefined;

/** `data` of the answer; nothing where the route has none. */
export type DataOf<K extends RouteKey> = [Schema<K, 'data'>] extends [never]
  ? undefined
  : z.output<Schema<K, 'data'>>;
export type BodyOf<K extends RouteKey> = ReadonlyDeep<
  z.input<Schema<K, 'body'>> | z.input<Schema<K, 'statusBody'>>
>;
export type QueryOf<K extends RouteKey> = Readonly<
  Partial<Record<keyof z.output<Schema<K, 'query'>>, QueryValue>>
>;

/** The whole answer: members next to `data` as well. */
export type Answer<K extends RouteKey> = Readonly<{ message: string; data: DataOf<K> }> &
  Has<K, 'extra', Readonly<z.output<Schema<K, 'extra'>>>>;

/** What a call of this route sends. */
export type Sent<K extends RouteKey> = Readonly<{ headers?: Readonly<Record<string, string>> }> &
  Has<K, 'params', Readonly<{ params: Readonly<z.output<Schema<K, 'params'>>> }>> &
  Has<K, 'query', Readonly<{ query?: QueryOf<K> }>> &
  Has<K, 'body', Readonly<{ body: BodyOf<K> }>>;

/** A body as a form sends it: each field has a value. */
export type Filled<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };
