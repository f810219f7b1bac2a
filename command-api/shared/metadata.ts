import { randomUUID } from 'node:crypto';
import type { Actor, Metadata } from '../../domain/shared/event.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import { uuidFrom } from './uuid.ts';

/** For what follows from one cause, which names command and correlation as well. */
export const causedMetadata = (actor: Actor, cause: string, occurredAt: string): Metadata => ({
  actor,
  correlationId: cause,
  causationId: cause,
  commandId: cause,
  occurredAt,
});

/** For what the product does by itself, with no request behind it. */
export const systemMetadata = (
  name: string,
  clock: Clock,
  commandId: string = randomUUID(),
): Metadata => causedMetadata({ kind: 'system', id: name }, commandId, clock().toISOString());

/**
 * For a command that another one led to. Its id is derived, so that a repeat of the first repeats
 * this one; the fingerprint of the request travels on.
 */
export const derivedMetadata = (from: Metadata, step: string): Metadata => ({
  ...from,
  causationId: from.commandId,
  commandId: uuidFrom(`${from.commandId}/${step}`),
});
