import type { FastifyInstance, FastifyRequest } from 'fastify';
import { languageOf } from '../../domain/access/language.ts';
import type { BodyShares } from '../web/body-shares.ts';
import type { ClientAddress } from '../web/client-address.ts';
import { callerOf } from '../web/network.ts';
import { hasUnreadBody } from '../web/unread-body.ts';
import { refusalOf } from './early-refusals.ts';

/** The maximum size of a body before it is read, in bytes. */
const expectedBytes = ({ headers, routeOptions }: FastifyRequest): number => {
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit ?? 0;
  const declared = Number(headers['content-length'] ?? 0);
  return Math.min(declared, routeOptions.bodyLimit ?? declared);
};

/** Takes a body's memory out of the budget before it is read, and gives it back with the answer. */
export const limitBodyMemory = (
  app: FastifyInstance,
  { shares, clientAddress }: Readonly<{ shares: BodyShares; clientAddress: ClientAddress }>,
): void => {
  app.addHook('preParsing', async (request, reply, payload) => {
    const bytes = expectedBytes(request);
    if (bytes === 0) return payload;
    const budget = shares.of(callerOf(clientAddress(request.raw)));
    if (!budget.take(bytes, 0)) {
      const { status, headers, body } = refusalOf(
        'request.no-memory',
        languageOf(request.headers['accept-language']),
      );
      await reply.status(status).headers(headers).send(body);
      return payload;
    }
    reply.raw.once('close', () => budget.give(bytes));
    return payload;
  });
  // A connection is not used again for another request while a body is still on its way over it.
  app.addHook('onSend', async (request, reply, payload) => {
    if (hasUnreadBody(request.raw)) reply.header('connection', 'close');
    return payload;
  });
};
