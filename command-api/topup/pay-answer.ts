import { ZodError } from 'zod';
import { reject } from '../../domain/shared/decider.ts';
import type { RouteInput } from '../../infra/web/route.ts';
import { type AnswerOf, type Ok, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import { messageOf } from '../http/rejection-messages.ts';
import type { Handler } from '../http/routes.ts';

/**
 * Clients of these calls read `message`, which is one of two words (infra/reference/payments.md).
 */
export const paid = <T, X>(data: T, extra: X): Ok<T, X> => ({
  ...ok(data, extra),
  message: { zh: 'success', en: 'success' },
});

const attempt = async <D>(
  handler: Handler<D>,
  call: Call & RouteInput<D>,
): Promise<AnswerOf<D>> => {
  try {
    return await handler(call);
  } catch (error) {
    if (error instanceof ZodError) return reject('topup.invalid-request');
    throw error;
  }
};

/** The `message` of a refusal is `error`; its text is in `data`, in the language of the caller. */
export const paying =
  <D>(handler: Handler<D>): Handler<D> =>
  async (call) => {
    const answer = await attempt(handler, call);
    if (answer.kind !== 'rejected') return answer;
    const data = messageOf(answer, call.language);
    return { kind: 'payment-refused', code: answer.code, data };
  };
