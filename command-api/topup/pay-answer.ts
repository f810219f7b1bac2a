import { ZodError } from 'zod';
import { reject } from '../../domain/shared/decider.ts';
import { type Answer, verbatim } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { messageOf } from '../http/rejection-messages.ts';
import type { Handler } from '../http/routes.ts';

/** Clients of these calls look at `message`, which is one of two words (infra/reference/payments.md). */
export const paid = (data: unknown, extra: Readonly<Record<string, unknown>> = {}): Answer =>
  verbatim({ success: true, message: 'success', data, ...extra });

const attempt = async (handler: Handler, call: Call): Promise<Answer> => {
  try {
    return await handler(call);
  } catch (error) {
    if (error instanceof ZodError) return reject('topup.invalid-request');
    throw error;
  }
};

/** A refusal says `error`, and stands in `data` in the words of the caller. */
export const paying =
  (handler: Handler): Handler =>
  async (call) => {
    const answer = await attempt(handler, call);
    if (answer.kind !== 'rejected') return answer;
    const data = messageOf(answer, call.language);
    return verbatim({ success: false, code: answer.code, message: 'error', data });
  };
