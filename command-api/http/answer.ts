import type { Rejected } from '../../domain/shared/decider.ts';
import type { RejectionCode } from './rejection-messages.ts';

/** Members beside `success`, `message` and `data` that some calls of the sheet have. */
type Extra = Readonly<Record<string, unknown>>;

export type Ok = Readonly<{
  kind: 'ok';
  data?: unknown;
  /** Reads what is answered once the change shows, its consequences included. */
  lateData?: () => Promise<unknown>;
  extra?: Extra;
  message?: Words;
}>;
export type Words = Readonly<{ zh: string; en: string }>;
export type Answer = Ok | Rejected<RejectionCode>;

/** `{ success: true, message: "", data }`; without `data` the member is left out. */
export const ok = (data?: unknown, extra?: Extra): Ok => ({
  kind: 'ok',
  ...(data === undefined ? {} : { data }),
  ...(extra === undefined ? {} : { extra }),
});

/** Answers what stands after processes have done their part: a new budget, a credited balance. */
export const okLater = (lateData: () => Promise<unknown>): Ok => ({ kind: 'ok', lateData });

/** A success that the console shows as a toast. */
export const okWithWords = (message: Words, data?: unknown): Ok => ({ ...ok(data), message });
