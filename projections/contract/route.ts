import type { ZodObject, ZodType } from 'zod';

/** `visitor`: signed in or not; `user`: signed in; `admin`: role 10 and up; `token`: an API key. */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | 'token';

type Parts = Readonly<{
  params?: ZodType;
  query?: ZodType;
  body?: ZodType;
  /** `data` of the envelope. */
  data?: ZodType;
  /** Members of the envelope next to `data`. */
  extra?: ZodObject;
  /** The whole answer, without an envelope. */
  bare?: ZodType;
  /** A row of the file that is the answer, of any length, as CSV or JSON. */
  row?: ZodType;
  /** Data of each server-sent event that the answer streams. */
  event?: ZodType;
  /** Reads take a few filters; a dry run takes tables of prices. */
  guards?: readonly 'large-body'[];
}>;

/** A route as it is declared once, under its `METHOD path`; handler, OpenAPI and console derive from it. */
export const route = <A extends Access, const P extends Parts>(
  access: A,
  description: string,
  parts: P & Readonly<Record<Exclude<keyof P, keyof Parts>, never>>,
): Readonly<{ access: A; description: string }> & P => ({ access, description, ...parts });
