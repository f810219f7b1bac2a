import type { Incoming } from '../admission/admitted.ts';
import { quotaBusy } from '../admission/refusals.ts';
import { sendOwnError, writeAnswerHead } from '../protocol/answer-head.ts';
import type { Job, JobRefusal } from './job.ts';

/** Error of an image task call (infra/reference/tasks.md, section 2.3). */
export type DrawingRefusal = Readonly<{
  refusal: string;
  /**
   * 4: the caller's mistake. 5: the provider could not be called. 30: too many requests at once.
   */
  code: number;
  /** HTTP; 400 when absent. */
  status?: number;
  /** Code in the record of refusals, where the words of `refusal` do not begin with it. */
  reason?: string;
}>;

export const refused = (refusal: string, code = 4): DrawingRefusal => ({ refusal, code });

export const isRefusal = (value: object): value is DrawingRefusal => 'refusal' in value;

/** Of refusals: too many requests at once. */
const tooMuch = 30;
const saturated =
  'The group is saturated now, please try again later or upgrade your account to another group';

const reasonOf = ({ refusal, reason }: DrawingRefusal): string =>
  reason ?? /^[a-z][a-z0-9_]*(?=:|$)/.exec(refusal)?.[0] ?? 'drawing_refused';

export const sendRefusal = (incoming: Incoming, refused: DrawingRefusal): void => {
  const { refusal, code, status = code === tooMuch ? 429 : 400 } = refused;
  const description = code === tooMuch ? `${refusal} ${saturated}` : refusal;
  const answer = { description, type: 'upstream_error', code };
  sendOwnError(incoming, { status, reason: reasonOf(refused) }, answer);
};

/** As it is recorded. */
export const drawingRefusal = (refusal: DrawingRefusal): JobRefusal => ({
  status: refusal.status ?? 400,
  code: refusal.code,
  reason: refusal.refusal,
  send: (incoming) => sendRefusal(incoming, refusal),
});

const busy: DrawingRefusal = { refusal: 'quota_unavailable', code: 5, status: 503 };

export const drawingRefusalOf: Job['refusalOf'] = (error, why) => {
  const reason = String(error.code);
  if (why === 'limit') return drawingRefusal({ ...refused(error.message, tooMuch), reason });
  const refusal = error === quotaBusy ? busy : refused('quota_not_enough');
  return drawingRefusal({ ...refusal, reason });
};

export const sendEmpty = (incoming: Incoming): void => {
  writeAnswerHead(incoming, 200, ['Content-Length', '0']);
  incoming.res.end();
};
