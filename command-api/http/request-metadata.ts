import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { adminRole } from '../../domain/access/roles.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { uuidFrom } from '../shared/uuid.ts';
import type { Caller } from './sign-in.ts';

/** The client's idempotency key; the same key again is the same request. */
const idempotencyKey = z.string().min(1).max(200).optional();

type Facts = Readonly<{
  request: FastifyRequest;
  requestId: string;
  caller: Caller | null;
  ip: string;
}>;

const actorOf = (caller: Caller | null, ip: string): Metadata['actor'] =>
  caller
    ? { kind: caller.role >= adminRole ? 'admin' : 'user', id: String(caller.userId), ip }
    : { kind: 'user', id: '0', ip };

/**
 * Keyed, because a body may hold a password and the log is for ever. Without a key of the client
 * nothing can be repeated, and the command's own data is fingerprint enough.
 */
const fingerprint = ({ claimHash }: Vault, { method, url, body }: FastifyRequest): string =>
  claimHash('command', JSON.stringify([method, url, body ?? null]));

/** Who, why and when, read once at the edge for everything that a request causes. */
export const createRequestMetadata =
  (vault: Vault, clock: Clock) =>
  ({ request, requestId, caller, ip }: Facts): Metadata => {
    const key = idempotencyKey.parse(request.headers['idempotency-key']);
    // Keys are the caller's own: two people may use the same one.
    const commandId = key ? uuidFrom(`${caller?.userId ?? 'public'}/${key}`) : randomUUID();
    return {
      actor: actorOf(caller, ip),
      correlationId: requestId,
      causationId: commandId,
      commandId,
      ...(key ? { commandHash: fingerprint(vault, request) } : {}),
      occurredAt: clock().toISOString(),
    };
  };
