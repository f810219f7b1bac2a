import type { ZodObject, ZodType } from 'zod';

/** Who may call a route: all callers, or people of at least this role. */
type Access = 'public' | 'user' | 'admin' | 'root';

/**
 * What is checked of a call in addition to who sends it.
 * `rate-limited`: guesses at secrets or creates accounts; few calls for each client.
 * `human`: needs a person in front of the screen, when the operator switched that on.
 * `json-only`: public, and refuses what a form of another site could send.
 * `no-cross-site`: a GET that writes, sends a mail or calls a service outside; no page of another site may
 * let a browser call it, as with every other method.
 * `login-return`: a login provider leads the whole browser here; protected by its state.
 * `signed`: services outside call it, with a signature. `form`: they send a form instead of JSON.
 * `large-body`: takes tables of prices, many keys, mappings of models or ids of many channels.
 */
export type Guard =
  | 'rate-limited'
  | 'human'
  | 'json-only'
  | 'no-cross-site'
  | 'login-return'
  | 'signed'
  | 'form'
  | 'large-body';

type Parts = Readonly<{
  params?: ZodType;
  query?: ZodType;
  body?: ZodType;
  /** In place of `body` with `?status_only=true`. */
  statusBody?: ZodType;
  /** `data` of the envelope; absent: the envelope has none. */
  data?: ZodType;
  /** Members of the envelope next to `data`. */
  extra?: ZodObject;
  /** A plain text in place of the envelope. */
  text?: ZodType;
  /** Where the answer leads the browser, in place of the envelope. */
  redirect?: string;
  guards?: readonly Guard[];
}>;

/** A route as it is declared once, under its `METHOD path`; handler, OpenAPI and console derive from it. */
export const route = <A extends Access, const P extends Parts>(
  access: A,
  description: string,
  parts: P & Readonly<Record<Exclude<keyof P, keyof Parts>, never>>,
): Readonly<{ access: A; description: string }> & P => ({ access, description, ...parts });
