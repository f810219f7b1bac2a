import {
  type RelayKeysFeedEntry,
  relayKeysEntry,
  relayPurposes,
} from '../../domain/keyring/feed.ts';
import type { Bus, FeedEntry, Stop } from '../ports/bus.ts';
import type { Logger } from '../ports/logger.ts';
import type { SessionVerifier } from '../ports/sessions.ts';
import type { RelayVault } from '../ports/vault.ts';
import { createRelayVault } from './create-relay-vault.ts';
import { Keyring } from './keyring.ts';
import { KeyringError } from './keyring-store.ts';
import { isProcessKey, parseProcessKey } from './process-key.ts';
import { UnsealError } from './sealed-text.ts';
import { siteSessionVerifier } from './site-session-verifier.ts';
import { newestOf, unwrapKeys } from './wrapped-keys.ts';

type Deps = Readonly<{
  bus: Bus;
  secret: string;
  logger: Logger;
  /**
   * The feeds arrived only after the start, and are sealed under keys that the secret does not
   * open.
   */
  onRefused: (error: KeyringError) => void;
}>;

/** The keys of a relay, which reads no log: its own text, or what the feed holds for a master key. */
export type RelayKeys = Readonly<{
  vault: RelayVault;
  sessionVerifier: SessionVerifier;
  /** @throws KeyringError when the secret does not open what the feeds hold */
  start: () => Promise<void>;
  /** Calls back when there are other keys than before. */
  onChange: (listener: () => void) => void;
  stop: Stop;
}>;

const keyringOfText = (text: string): Keyring => {
  const parsed = parseProcessKey(text);
  if (parsed === null) throw new KeyringError('SECRET_KEY is a process key with a part missing');
  if (parsed.kind === 'relay') return new Keyring(parsed.keys);
  const wanted = 'a relay needs the master key or a relay key';
  throw new KeyringError(`SECRET_KEY is a ${parsed.kind} key; ${wanted}`);
};

/** @throws KeyringError */
const holdNewest = (keyring: Keyring, { keys }: RelayKeysFeedEntry): Keyring => {
  const isHeld = relayPurposes.every((purpose) => {
    const newest = newestOf(keys, purpose);
    return newest === null || keyring.holds(purpose, newest.keyId);
  });
  if (isHeld) return keyring;
  const cause = 'SECRET_KEY does not open the feeds of this site';
  throw new KeyringError(`${cause}; print another: npm run keys -- print relay`);
};

/** @throws KeyringError */
const unwrapped = (secret: string, entry: RelayKeysFeedEntry): Keyring => {
  try {
    return new Keyring(unwrapKeys(secret, entry));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new KeyringError('SECRET_KEY does not open the feeds of this site');
  }
};

/** @throws KeyringError when the secret is a text that is no relay key */
export const createRelayKeys = ({ bus, secret, logger, onRefused }: Deps): RelayKeys => {
  const own = isProcessKey(secret) ? keyringOfText(secret) : null;
  let keyring = own ?? new Keyring([]);
  let listener: () => void = () => undefined;
  let hasOpened = false;
  let isStarting = true;
  let refusal: KeyringError | null = null;
  let stop: Stop = async () => undefined;

  const take = (entry: RelayKeysFeedEntry): void => {
    keyring = own === null ? unwrapped(secret, entry) : holdNewest(own, entry);
    hasOpened = true;
    listener();
  };

  const refused = (error: unknown): void => {
    if (!(error instanceof KeyringError)) throw error;
    if (isStarting) refusal = error;
    else if (hasOpened) logger.error({ error }, 'the relay keeps the keys it has');
    else onRefused(error);
  };

  const takeAll = (entries: readonly FeedEntry<RelayKeysFeedEntry>[]): void => {
    for (const { key, value } of entries) {
      if (key !== relayKeysEntry || value === null) continue;
      try {
        take(value);
      } catch (error) {
        refused(error);
      }
    }
  };

  return {
    vault: createRelayVault(() => keyring),
    sessionVerifier: siteSessionVerifier(() => keyring),
    onChange: (changed) => {
      listener = changed;
    },
    start: async () => {
      const watch = await bus.feed<RelayKeysFeedEntry>('keys').watch(takeAll);
      stop = watch.stop;
      await watch.ready;
      isStarting = false;
      if (refusal !== null) throw refusal;
    },
    stop: () => stop(),
  };
};
