import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import type { Logger } from '../../infra/ports/logger.ts';
import { isBusUnavailable } from '../errors.ts';
import { invalidInputMessage } from './invalid-input.ts';
import { languageOf } from './language.ts';
import { messageOf } from './rejection-messages.ts';

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');

/** Bad input is refused in words of ours; a fault is logged once and answered with a fixed text. */
export const createErrorHandler =
  (logger: Logger) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const language = languageOf(request.headers['accept-language']);
    const requestId = String(reply.getHeader('x-request-id') ?? '');
    if (error instanceof ZodError) {
      const message = invalidInputMessage(error, language);
      return reply.status(200).send({ success: false, code: 'request.invalid', message });
    }
    if (error instanceof SyntaxError) {
      const code = 'request.malformed';
      return reply
        .status(200)
        .send({ success: false, code, message: messageOf({ code }, language) });
    }
    if (isFastifyError(error) && (error.statusCode ?? 500) < 500) {
      const isTooLarge = error.statusCode === 413;
      const code = isTooLarge ? 'request.too-large' : 'request.malformed';
      const message = messageOf({ code }, language);
      return reply.status(isTooLarge ? 413 : 200).send({ success: false, code, message });
    }
    const fields = { requestId, method: request.method, route: request.routeOptions.url, error };
    if (isBusUnavailable(error)) {
      logger.warn(fields, 'another part of the product does not answer');
      const code = 'system.unavailable';
      const message = messageOf({ code }, language);
      return reply.status(503).send({ success: false, code, message, request_id: requestId });
    }
    logger.error(fields, 'request failed');
    const code = 'system.fault';
    const message = messageOf({ code }, language);
    return reply.status(500).send({ success: false, code, message, request_id: requestId });
  };
