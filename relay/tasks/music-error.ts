import type { Incoming } from '../admission/admitted.ts';
import { quotaBusy } from '../admission/refusals.ts';
import { sendOwnError } from '../protocol/answer-head.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Job, JobRefusal } from './job.ts';

/** Error of a music task call (infra/reference/tasks.md, section 2.3). */
export type MusicRefusal = Readonly<{
  code: string;
  message: string;
  status: number;
  /** Code in the record of refusals, where it is another one. */
  reason?: string;
}>;

export const musicRefusal = (status: number, code: string, message = code): MusicRefusal => ({
  status,
  code,
  message,
});

const saturated = 'The upstream of this group is saturated, please try again later';

/** Words of providers that may hold their addresses are not passed on. */
export const sendMusicRefusal = (incoming: Incoming, refusal: MusicRefusal): void => {
  const { status, code } = refusal;
  const isTelling = /post|dial|http/i.test(refusal.message);
  const message =
    status === 429 ? saturated : isTelling ? 'The upstream request failed' : refusal.message;
  sendOwnError(incoming, { status, reason: refusal.reason ?? code }, { code, message, data: null });
};

export const fromApiError = ({ status, code, message }: ApiError): MusicRefusal => ({
  status,
  code: String(code ?? ''),
  message,
});

/** As it is recorded. */
export const songRefusal = (refusal: MusicRefusal): JobRefusal => ({
  status: refusal.status,
  code: null,
  reason: `${refusal.code} ${refusal.message}`.trim(),
  send: (incoming) => sendMusicRefusal(incoming, refusal),
});

export const songRefusalOf: Job['refusalOf'] = (error, why) => {
  if (why === 'limit') return songRefusal(fromApiError(error));
  const isBusy = error === quotaBusy;
  const code = isBusy ? 'quota_unavailable' : 'quota_not_enough';
  const refusal = musicRefusal(isBusy ? 503 : 403, code);
  return songRefusal({ ...refusal, reason: String(error.code) });
};
