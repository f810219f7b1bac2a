import type { Rejected } from '../../domain/shared/decider.ts';
import type { Returned } from '../../infra/web/route.ts';
import type { RejectionCode } from './rejection-messages.ts';

export type Words = Readonly<{ zh: string; en: string }>;

/** `extra`: members next to `success`, `message` and `data`. What is undefined is left out. */
export type Ok<T = undefined, X = undefined> = Readonly<{
  kind: 'ok';
  data: T;
  extra: X;
  message?: Words;
}>;
/** Reads `data` once the change is visible, its consequences included: a new budget, a credited balance. */
export type Later<T> = Readonly<{ kind: 'later'; read: () => Promise<T> }>;
/** Sent as plain text, where a service outside wants no envelope. */
type Text<T = string> = Readonly<{ kind: 'text'; text: T }>;
/** Leads a browser on, to a page of our own and nowhere else. */
type Redirect = Readonly<{ kind: 'redirect'; to: '/setting' }>;
/** Clients of payments read the text of a refusal in `data` (infra/reference/payments.md). */
type PaymentRefusal = Readonly<{
  kind: 'payment-refused';
  code: RejectionCode;
  data: string;
}>;
type Refusal = Rejected<RejectionCode> | PaymentRefusal;

/** What part of a handler returns: a refusal, or data of this type. */
export type Answer<T = undefined, X = undefined> = Rejected<RejectionCode> | Ok<T, X>;
export type AnyAnswer = Refusal | Ok<unknown, unknown> | Later<unknown> | Text | Redirect;

/** What the handler of a declared route returns. */
export type AnswerOf<D> =
  | Refusal
  | (D extends Readonly<{ text: unknown }>
      ? Text<Returned<D, 'text'>>
      : D extends Readonly<{ redirect: string }>
        ? Redirect
        : Ok<Returned<D, 'data'>, Returned<D, 'extra'>> | Later<Returned<D, 'data'>>);

export function ok(): Ok;
export function ok<T>(data: T): Ok<T>;
export function ok<T, X>(data: T, extra: X): Ok<T, X>;
export function ok(data?: unknown, extra?: unknown): Ok<unknown, unknown> {
  return { kind: 'ok', data, extra };
}

export const okLater = <T>(read: () => Promise<T>): Later<T> => ({ kind: 'later', read });

/** A success that the console shows as a toast. */
export const okWithWords = (message: Words): Ok => ({ ...ok(), message });
