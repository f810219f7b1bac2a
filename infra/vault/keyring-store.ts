import { randomUUID } from 'node:crypto';
import type { KeyPurpose, KeyringWritten } from '../../domain/keyring/events.ts';
import { keyringStreamId } from '../../domain/keyring/stream.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { Clock } from '../ports/clock.ts';
import { type EventStore, WrongExpectedRevisionError } from '../ports/event-store.ts';
import type { DataKey } from './keyring.ts';
import { freshKeys, newKeys } from './new-keys.ts';
import { UnsealError } from './sealed-text.ts';
import { unwrapKeys, wrapKeys } from './wrapped-keys.ts';

/** A key that does not fit the log, or a keyring that cannot be read. The message is one line. */
export class KeyringError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyringError';
  }
}

const restoreIt = `restore stream ${keyringStreamId} from a backup`;

type Deps = Readonly<{ eventStore: EventStore; clock: Clock }>;
export type StoredKeyring = Readonly<{ data: KeyringWritten['data']; revision: bigint }>;

/** The keyring of the log; null when it has none. @throws KeyringError when it cannot be read */
export const readKeyring = async (eventStore: EventStore): Promise<StoredKeyring | null> => {
  let isBroken = false;
  const onUnreadable = (): void => {
    isBroken = true;
  };
  const newest = { maxCount: 1, backwards: true, onUnreadable };
  for await (const recorded of eventStore.readStream<KeyringWritten>(keyringStreamId, newest)) {
    return { data: recorded.event.data, revision: recorded.revision };
  }
  if (!isBroken) return null;
  throw new KeyringError(`the keyring of this log cannot be read: ${restoreIt}`);
};

const metadataOf = (clock: Clock, eventId: string): Metadata => ({
  actor: { kind: 'system', id: 'keyring' },
  correlationId: eventId,
  causationId: eventId,
  commandId: eventId,
  occurredAt: clock().toISOString(),
});

/** False when another writer was faster. */
const write = async (
  { eventStore, clock }: Deps,
  data: KeyringWritten['data'],
  expected: bigint | 'no-stream',
): Promise<boolean> => {
  const eventId = randomUUID();
  const event: KeyringWritten = { type: 'KeyringWritten', data };
  const metadata = metadataOf(clock, eventId);
  // Older wrappings are hidden at once, and go away with the next scavenge.
  await eventStore.boundStream(keyringStreamId, { maxCount: 1 });
  try {
    await eventStore.append(keyringStreamId, [{ event, eventId, metadata }], expected);
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedRevisionError) return false;
    throw error;
  }
};

/** Walks a log without keyring once, for a deleted one and for keys that one had wrapped. */
const hadKeyring = async (eventStore: EventStore): Promise<boolean> => {
  for await (const { event } of eventStore.readAll()) {
    if (event.type === 'KeyringWritten' || event.type === 'PersonalKeyCreated') return true;
  }
  return false;
};

/**
 * The first keys of a log; null when another process has written some meanwhile.
 * @throws KeyringError
 */
const firstKeys = async ({ eventStore, clock }: Deps): Promise<readonly DataKey[] | null> => {
  if (!(await hadKeyring(eventStore))) return newKeys(clock().toISOString());
  if ((await readKeyring(eventStore)) !== null) return null;
  throw new KeyringError(`the keyring of this log was deleted: ${restoreIt}`);
};

/** @throws KeyringError when this is not the key of the log */
export const openStored = (secretKey: string, { data }: StoredKeyring): readonly DataKey[] => {
  try {
    return unwrapKeys(secretKey, data);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new KeyringError('SECRET_KEY does not open the keyring of this log');
  }
};

/** Attempts to write before other writers are blamed. */
const maxAttempts = 5;

const insisting = async <T>(attempt: () => Promise<T | null>): Promise<T> => {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new KeyringError(`the keyring of this log is written by others: stream ${keyringStreamId}`);
};

/**
 * The keys of the log, created when it has none. Of processes that start at once one creates them;
 * the others read what it wrote.
 * @throws KeyringError
 */
export const openKeyring = (deps: Deps, secretKey: string): Promise<readonly DataKey[]> =>
  insisting(async () => {
    const stored = await readKeyring(deps.eventStore);
    if (stored !== null) return openStored(secretKey, stored);
    const keys = await firstKeys(deps);
    if (keys === null) return null;
    const isOurs = await write(deps, wrapKeys(secretKey, keys, 'created'), 'no-stream');
    return isOurs ? keys : null;
  });

const opens = (secretKey: string, { data }: StoredKeyring): boolean => {
  try {
    unwrapKeys(secretKey, data);
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
};

const stored = async ({ eventStore }: Deps): Promise<StoredKeyring> => {
  const found = await readKeyring(eventStore);
  if (found === null) throw new KeyringError('this log has no keyring yet');
  return found;
};

/**
 * Wraps every key under another `SECRET_KEY`, in one event. Done before: nothing happens.
 * @throws KeyringError when the log opens under neither
 */
export const rotateKeyring = (
  deps: Deps,
  keys: Readonly<{ current: string; next: string }>,
): Promise<'rotated' | 'rotated-before'> =>
  insisting(async () => {
    const found = await stored(deps);
    if (opens(keys.next, found)) return 'rotated-before';
    const clear = openStored(keys.current, found);
    const isOurs = await write(deps, wrapKeys(keys.next, clear, 'rotated'), found.revision);
    return isOurs ? 'rotated' : null;
  });

/** Adds a key that seals from now on; answers its version. @throws KeyringError */
export const renewKey = (
  deps: Deps,
  secretKey: string,
  purpose: Exclude<KeyPurpose, 'claims' | 'session-verification'>,
): Promise<number> =>
  insisting(async () => {
    const found = await stored(deps);
    const keys = openStored(secretKey, found);
    const versions = keys.filter((key) => key.purpose === purpose).map(({ version }) => version);
    const version = Math.max(0, ...versions) + 1;
    const added = freshKeys(purpose, version, deps.clock().toISOString());
    const data = wrapKeys(secretKey, [...keys, ...added], 'renewed');
    return (await write(deps, data, found.revision)) ? version : null;
  });
