import type { BlockList } from 'node:net';
import type { TokenFeedEntry } from '../../domain/token/feed.ts';
import type { Feed, FeedEntry } from '../../infra/ports/bus.ts';
import { addressList } from '../../infra/web/address-list.ts';
import { apiKeyHash } from '../../infra/web/api-key.ts';

/** A token as requests meet it: compiled once for each change. `entry` null: there is none. */
export type KnownToken = {
  entry: TokenFeedEntry | null;
  position: bigint;
  models: ReadonlySet<string> | null;
  /** null: every address. */
  addresses: BlockList | null;
};

const maxRawKeys = 50_000;
const maxUnknownKeys = 10_000;
/** How long an unknown key is refused without asking again. */
const unknownTtlMs = 2_000;
const maxFetchesInFlight = 128;

const compile = (token: KnownToken, feed: FeedEntry<TokenFeedEntry>): void => {
  token.entry = feed.value;
  token.position = feed.position;
  token.models = feed.value?.modelLimits ? new Set(feed.value.modelLimits) : null;
  token.addresses = feed.value === null ? null : addressList(feed.value.allowIps);
};

export type TokenDirectory = Readonly<{
  apply: (entries: readonly FeedEntry<TokenFeedEntry>[]) => void;
  /** The token of a raw key; undefined when it is not cached yet, null when there is none. */
  find: (key: string, nowMs: number) => KnownToken | null | undefined;
  /** Reads an uncached key from the feed; coalesced and bounded. */
  fetch: (key: string, nowMs: number) => Promise<KnownToken | null | 'busy'>;
  size: () => number;
}>;

/**
 * Tokens by the raw key: a hash per request would cost a tenth of a bare proxy's work, so the hash
 * is computed on the first use of a key only. Raw keys are kept in a bounded map of the process.
 */
export const createTokenDirectory = (feed: Feed<TokenFeedEntry>): TokenDirectory => {
  const byHash = new Map<string, KnownToken>();
  let byKey = new Map<string, KnownToken>();
  let olderByKey = new Map<string, KnownToken>();
  const unknownUntil = new Map<string, number>();
  const fetches = new Map<string, Promise<KnownToken | null | 'busy'>>();

  const remember = (key: string, token: KnownToken): KnownToken => {
    if (byKey.size >= maxRawKeys) {
      olderByKey = byKey;
      byKey = new Map();
    }
    byKey.set(key, token);
    return token;
  };

  const store = (entry: FeedEntry<TokenFeedEntry>): KnownToken => {
    const known = byHash.get(entry.key);
    const token = known ?? { entry: null, position: -1n, models: null, addresses: null };
    if (entry.position >= token.position) compile(token, entry);
    // Holders of a removed token see `entry` null; a token made later under the same hash is new.
    if (token.entry === null) byHash.delete(entry.key);
    else if (known === undefined) byHash.set(entry.key, token);
    return token;
  };

  const find = (key: string, nowMs: number): KnownToken | null | undefined => {
    const near = byKey.get(key);
    if (near !== undefined && near.entry !== null) return near;
    const older = olderByKey.get(key);
    if (older !== undefined && older.entry !== null) return remember(key, older);
    const token = byHash.get(apiKeyHash(key));
    if (token !== undefined) return remember(key, token);
    const until = unknownUntil.get(key);
    return until !== undefined && until > nowMs ? null : undefined;
  };

  const refuseFor = (key: string, nowMs: number): null => {
    if (unknownUntil.size >= maxUnknownKeys) unknownUntil.clear();
    unknownUntil.set(key, nowMs + unknownTtlMs);
    return null;
  };

  const fetch = async (key: string, nowMs: number): Promise<KnownToken | null | 'busy'> => {
    try {
      const entry = await feed.get(apiKeyHash(key));
      if (entry === null) return refuseFor(key, nowMs);
      const token = store(entry);
      return token.entry === null ? refuseFor(key, nowMs) : remember(key, token);
    } catch {
      return 'busy';
    } finally {
      fetches.delete(key);
    }
  };

  return {
    apply: (entries) => {
      for (const entry of entries) store(entry);
      // A key refused a moment ago may be the one that has just been made.
      unknownUntil.clear();
    },
    find,
    fetch: (key, nowMs) => {
      const running = fetches.get(key);
      if (running !== undefined) return running;
      if (fetches.size >= maxFetchesInFlight) return Promise.resolve('busy');
      const asked = fetch(key, nowMs);
      fetches.set(key, asked);
      return asked;
    },
    size: () => byHash.size,
  };
};
