import type { Rejected } from '../../domain/shared/decider.ts';
import type { RejectionCode } from './rejection-messages.ts';

/** Members beside `success`, `message` and `data` that some calls have. */
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
/** Sent as it stands, where an outside caller wants another form. A text goes out as plain text. */
export type Verbatim = Readonly<{ kind: 'verbatim'; body: string | Extra }>;
/** Leads a browser on, to a page of our own and nowhere else. */
export type Redirect = Readonly<{ kind: 'redirect'; to: '/setting' }>;
export type Answer = Ok | Verbatim | Redirect | Rejected<RejectionCode>;

/** `{ success: true, message: "", data }`; without `data` the member is left out. */
export const ok = (data?: unknown, extra?: Extra): Ok => ({
  kind: 'ok',
  ...(data === undefined ? {} : { data }),
  ...(extra === undefined ? {} : { extra }),
});

export const verbatim = (body: Verbatim['body']): Verbatim => ({ kind: 'verbatim', body });

export const redirect = (to: Redirect['to']): Redirect => ({ kind: 'redirect', to });

/** Answers what stands after processes have done their part: a new budget, a credited balance. */
export const okLater = (lateData: () => Promise<unknown>): Ok => ({ kind: 'ok', lateData });

/** A success that the console shows as a toast. */
export const okWithWords = (message: Words, data?: unknown): Ok => ({ ...ok(data), message });
