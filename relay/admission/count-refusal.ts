import { notedError } from '../protocol/error-note.ts';
import { relayErrors } from '../protocol/relay-errors.ts';
import type { Incoming } from './admitted.ts';
import type { RefusalCounter } from './refusal-counter.ts';

type Refused = Pick<Incoming, 'req' | 'requestId' | 'progress'>;

/**
 * Counts a request that was answered with an error of the gateway before it was admitted. Errors of
 * providers, and those of admitted calls, have their own records.
 */
export const countRefusal = (
  { refusals }: Readonly<{ refusals: RefusalCounter }>,
  refused: Refused,
): void => {
  const error = notedError(refused.req);
  if (error === undefined || refused.progress.isAdmitted) return;
  if (error.isOwn || Object.hasOwn(relayErrors, error.code)) refusals.count(refused, error.code);
};
