import type { FastifyReply } from 'fastify';
import { languageOf } from '../../domain/access/language.ts';
import type { AnyAnswer, Later } from './answer.ts';
import { messageOf, type Refusal } from './rejection-messages.ts';

/** `{ success: false, code, message }` in the caller's language. */
export const refuse = (reply: FastifyReply, status: number, refusal: Refusal): FastifyReply => {
  const language = languageOf(reply.request.headers['accept-language']);
  const message = messageOf(refusal, language);
  return reply.status(status).send({ success: false, code: refusal.code, message });
};

const forbidden: ReadonlySet<Refusal['code']> = new Set<Refusal['code']>([
  'login.state-invalid',
  'login.foreign-page',
  'auth.second-factor-required',
  'auth.password-required',
]);

/**
 * Refusals are answers of the product, except for a login that began in another browser, and for
 * calls that require the second factor first.
 */
const statusOf = ({ code }: Refusal): number => (forbidden.has(code) ? 403 : 200);

export const sendAnswer = (
  reply: FastifyReply,
  answer: Exclude<AnyAnswer, Later<unknown>>,
): FastifyReply => {
  if (answer.kind === 'rejected') return refuse(reply, statusOf(answer), answer);
  if (answer.kind === 'redirect') return reply.redirect(answer.to, 302);
  if (answer.kind === 'text') return reply.type('text/plain').send(answer.text);
  if (answer.kind === 'payment-refused') {
    const { code, data } = answer;
    return reply.send({ success: false, code, message: 'error', data });
  }
  const language = languageOf(reply.request.headers['accept-language']);
  const message = answer.message?.[language] ?? '';
  return reply.send({ success: true, message, data: answer.data, ...(answer.extra ?? {}) });
};
