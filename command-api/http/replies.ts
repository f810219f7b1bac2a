import type { FastifyReply } from 'fastify';
import type { Answer } from './answer.ts';
import { languageOf } from './language.ts';
import { messageOf, type Refusal } from './rejection-messages.ts';

/** `{ success: false, code, message }` in the caller's language. */
export const refuse = (reply: FastifyReply, status: number, refusal: Refusal): FastifyReply => {
  const language = languageOf(reply.request.headers['accept-language']);
  const message = messageOf(refusal, language);
  return reply.status(status).send({ success: false, code: refusal.code, message });
};

export const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply => {
  if (answer.kind === 'rejected') return refuse(reply, 200, answer);
  const language = languageOf(reply.request.headers['accept-language']);
  const message = answer.message?.[language] ?? '';
  const data = 'data' in answer ? { data: answer.data } : {};
  return reply.send({ success: true, message, ...data, ...answer.extra });
};
