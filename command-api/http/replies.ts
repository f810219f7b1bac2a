import type { FastifyReply } from 'fastify';
import { languageOf } from '../../domain/access/language.ts';
import type { Answer } from './answer.ts';
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
 * Refusals are answers of the product, but for a login that began in another browser, and for calls that
 * want the second factor first.
 */
const statusOf = ({ code }: Refusal): number => (forbidden.has(code) ? 403 : 200);

export const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply => {
  if (answer.kind === 'rejected') return refuse(reply, statusOf(answer), answer);
  if (answer.kind === 'redirect') return reply.redirect(answer.to, 302);
  if (answer.kind === 'verbatim') {
    const { body } = answer;
    return typeof body === 'string' ? reply.type('text/plain').send(body) : reply.send(body);
  }
  const language = languageOf(reply.request.headers['accept-language']);
  const message = answer.message?.[language] ?? '';
  const data = 'data' in answer ? { data: answer.data } : {};
  return reply.send({ success: true, message, ...data, ...answer.extra });
};
