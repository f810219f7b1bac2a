import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../command-api/http/rejection-messages.ts';
import { languageOf } from '../../domain/access/language.ts';
import type { Logger } from '../ports/logger.ts';

type WebError = 'request.too-large' | 'request.malformed' | 'system.fault';

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;

const codeOf = (status: number): WebError => {
  if (status === 413) return 'request.too-large';
  return status < 500 ? 'request.malformed' : 'system.fault';
};

const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const status = statusOf(error);
  const code = codeOf(status);
  const message = messageOf({ code }, languageOf(request.headers['accept-language']));
  return reply.status(status).send({ success: false, code, message });
};

/** For an address that the router cannot read. */
export const answerBadAddress = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  answer(error, request, reply);
};

/** Errors outside of the rooms' own routes are sent in the envelope of the API too. */
export const answerErrors = (app: FastifyInstance, logger: Logger): void => {
  app.setErrorHandler((error, request, reply) => {
    if (statusOf(error) >= 500) logger.error({ err: error }, 'a request failed before its route');
    return answer(error, request, reply);
  });
};
