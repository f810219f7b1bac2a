import type { KeyPurpose } from '../../domain/keyring/events.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import { Keyring } from './keyring.ts';
import { KeyringError, openKeyring, openStored, readKeyring } from './keyring-store.ts';
import { isProcessKey, type ProcessKind, parseProcessKey, purposesOf } from './process-key.ts';
import { newestOf } from './wrapped-keys.ts';

type Deps = Readonly<{ eventStore: EventStore; clock: Clock; logger: Logger }>;

/** The keys of a process that reads the log. */
export type SiteKeys = Readonly<{ keyring: Keyring; stop: () => void }>;

/** How soon a process opens what others seal under a key that was added after its start. */
const refreshEveryMs = 15_000;

/** Learns of added keys, for opening. What seals changes with the next start. */
const follow = ({ eventStore, logger }: Deps, keyring: Keyring, secretKey: string) => {
  let isRotated = false;
  const refresh = async (): Promise<void> => {
    const stored = await readKeyring(eventStore);
    if (stored !== null) keyring.learn(openStored(secretKey, stored));
    isRotated = false;
  };
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => {
      if (error instanceof KeyringError && isRotated) return;
      isRotated = error instanceof KeyringError;
      logger.warn(
        { error },
        'the keyring cannot be read again; this process keeps the keys it has',
      );
    });
  }, refreshEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};

/** @throws KeyringError when the log has a newer key than the text holds, or is another one */
const checkAgainstLog = async (
  { eventStore }: Deps,
  keyring: Keyring,
  { kind, purposes }: Readonly<{ kind: ProcessKind; purposes: readonly KeyPurpose[] }>,
): Promise<void> => {
  const stored = await readKeyring(eventStore);
  if (stored === null) throw new KeyringError(`SECRET_KEY is a ${kind} key of another log`);
  for (const purpose of purposes) {
    const newest = newestOf(stored.data.keys, purpose);
    if (newest !== null && keyring.holds(purpose, newest.keyId)) continue;
    const cause = `SECRET_KEY does not hold the newest key for ${purpose} of this log`;
    throw new KeyringError(`${cause}; print another: npm run keys -- print ${kind}`);
  }
};

const ofText = async (deps: Deps, text: string, kind: ProcessKind | null): Promise<SiteKeys> => {
  const parsed = parseProcessKey(text);
  if (parsed === null) throw new KeyringError('SECRET_KEY is a process key with a part missing');
  if (parsed.kind !== kind) {
    const wanted = kind === null ? 'the master key' : `the master key or a ${kind} key`;
    throw new KeyringError(`SECRET_KEY is a ${parsed.kind} key; this process needs ${wanted}`);
  }
  const keyring = new Keyring(parsed.keys);
  await checkAgainstLog(deps, keyring, { kind, purposes: purposesOf[kind] });
  return { keyring, stop: () => undefined };
};

/**
 * The keys of the log for a process, from the master key or from what was printed for its kind;
 * `kind` null takes the master key alone.
 * @throws KeyringError
 */
export const openSiteKeys = async (
  deps: Deps,
  secret: string,
  kind: ProcessKind | null,
): Promise<SiteKeys> => {
  if (isProcessKey(secret)) return ofText(deps, secret, kind);
  const keyring = new Keyring(await openKeyring(deps, secret));
  return { keyring, stop: follow(deps, keyring, secret) };
};
