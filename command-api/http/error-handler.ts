import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { languageOf } from '../../domain/access/language.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import { invalidInputMessage } from './invalid-input.ts';
import { messageOf, type RouteRejection } from './rejection-messages.ts';

const isFastifyError = (error: unknown): error is FastifyError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');

type Reply = Readonly<{ status: number; code: RouteRejection }>;

const badInput = (error: unknown): Reply | null => {
  if (error instanceof ZodError) return { status: 200, code: 'request.invalid' };
  if (error instanceof SyntaxError) return { status: 200, code: 'request.malformed' };
  if (!isFastifyError(error)) return null;
  const statusCode = error.statusCode ?? 500;
  if (statusCode === 413) return { status: 413, code: 'request.too-large' };
  return statusCode < 500 ? { status: 200, code: 'request.malformed' } : null;
};

/** Bad input is refused in words of ours; a fault is logged once and answered with a fixed text. */
export const createErrorHandler =
  (logger: Logger) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const language = languageOf(request.headers['accept-language']);
    const bad = badInput(error);
    if (bad) {
      const { status, code } = bad;
      const isOfField = error instanceof ZodError;
      const message = isOfField ? invalidInputMessage(error, language) : messageOf(bad, language);
      return reply.status(status).send({ success: false, code, message });
    }
    const requestId = String(reply.getHeader('x-request-id') ?? '');
    const fields = { requestId, method: request.method, route: request.routeOptions.url, error };
    const isAway = isBusUnavailable(error);
    if (isAway) logger.warn(fields, 'another part of the product does not answer');
    else logger.error(fields, 'request failed');
    const code = isAway ? 'system.unavailable' : 'system.fault';
    const message = messageOf({ code }, language);
    const body = { success: false, code, message, request_id: requestId };
    return reply.status(isAway ? 503 : 500).send(body);
  };
