import { randomUUID } from 'node:crypto';
import type { Metadata } from '../domain/shared/event.ts';
import type { Clock } from '../infra/ports/clock.ts';
import { uuidFrom } from './uuid.ts';

export const schemaVersion = 1;

/** For what the product does by itself, with no request behind it. */
export const systemMetadata = (
  name: string,
  clock: Clock,
  commandId: string = randomUUID(),
): Metadata => ({
  actor: { kind: 'system', id: name },
  correlationId: commandId,
  causationId: commandId,
  commandId,
  occurredAt: clock().toISOString(),
  schemaVersion,
});

/**
 * For a command that another one led to. Its id is derived, so that a repeat of the first repeats
 * this one; the fingerprint of the request travels on.
 */
export const derivedMetadata = (from: Metadata, step: string): Metadata => ({
  ...from,
  causationId: from.commandId,
  commandId: uuidFrom(`${from.commandId}/${step}`),
});
