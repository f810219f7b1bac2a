import type { Incoming } from '../admission/admitted.ts';
import { quotaBusy } from '../admission/refusals.ts';
import { sendJson, writeAnswerHead } from '../protocol/answer-head.ts';
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
}>;

export const refused = (refusal: string, code = 4): DrawingRefusal => ({ refusal, code });

export const isRefusal = (value: object): value is DrawingRefusal => 'refusal' in value;

const saturated =
  'The group is saturated now, please try again later or upgrade your account to another group';

export const sendRefusal = (
  incoming: Incoming,
  { refusal, code, status }: DrawingRefusal,
): void => {
  const description = code === 30 ? `${refusal} ${saturated}` : refusal;
  sendJson(incoming, status ?? (code === 30 ? 429 : 400), {
    description,
    type: 'upstream_error',
    code,
  });
};

/** As it is recorded. */
export const drawingRefusal = (refusal: DrawingRefusal): JobRefusal => ({
  status: refusal.status ?? 400,
  code: refusal.code,
  reason: refusal.refusal,
  send: (incoming) => sendRefusal(incoming, refusal),
});

/** Of refusals: too many requests at once. */
const tooMuch = 30;
const busy: DrawingRefusal = { refusal: 'quota_unavailable', code: 5, status: 503 };

export const drawingRefusalOf: Job['refusalOf'] = (error, why) => {
  if (why === 'limit') return drawingRefusal(refused(error.message, tooMuch));
  return drawingRefusal(error === quotaBusy ? busy : refused('quota_not_enough'));
};

export const sendEmpty = (incoming: Incoming): void => {
  writeAnswerHead(incoming, 200, ['Content-Length', '0']);
  incoming.res.end();
};
