import { accept, type Rejected, reject } from '../../domain/shared/decider.ts';
import type { Command, Event, Recorded } from '../../domain/shared/event.ts';
import type { Committed } from './command-result.ts';
import { type Digest, plainDigest } from './digest.ts';

/** Metadata is excluded: a repeat has another time and the same intent. */
const contentOf = ({ type, data }: Command): string => JSON.stringify([type, data]);

/** Distinguishes a repeat of a command id from another intent under the same id. */
const fingerprintOf = (command: Command, digest: Digest = plainDigest): string =>
  command.metadata.commandHash ?? digest(contentOf(command));

/** The command with its fingerprint, as its events carry it. */
export const withFingerprint = <C extends Command>(command: C, digest?: Digest): C => ({
  ...command,
  metadata: { ...command.metadata, commandHash: fingerprintOf(command, digest) },
});

export const isSameIntent = (
  hash: string | null | undefined,
  command: Command,
  digest?: Digest,
): boolean => hash === fingerprintOf(command, digest);

/** The answer of the first time, from the events that it left in the log. */
export const repeatedAnswer = <E extends Event>(
  stored: readonly Pick<Recorded<E>, 'event' | 'position'>[],
): Committed<E> => ({
  ...accept(...stored.map(({ event }) => event)),
  position: stored.at(-1)?.position ?? null,
  repeated: true,
});

export const idempotencyConflict = (): Rejected<'request.idempotency-conflict'> =>
  reject('request.idempotency-conflict');
