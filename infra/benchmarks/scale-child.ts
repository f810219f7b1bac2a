import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelFeedEntry } from '../../domain/channel/feed.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import type { TokenFeedEntry } from '../../domain/token/feed.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import type { LeaseBook } from '../../relay/admission/lease-book.ts';
import { createRelay } from '../../relay/create-relay.ts';
import { openJournal } from '../../relay/settlement/journal.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import { createLogger } from '../logging/create-logger.ts';
import { createMetrics } from '../metrics/create-metrics.ts';
import type { Bus, Feed, FeedEntry, FeedName } from '../ports/bus.ts';
import { nodeSystem } from '../system/node-system.ts';
import { createRelayVault } from '../vault/create-relay-vault.ts';
import { createVault } from '../vault/create-vault.ts';
import { Keyring } from '../vault/keyring.ts';
import { newKeys } from '../vault/new-keys.ts';
import { createSessionVerifier } from '../vault/session-verifier.ts';
import { apiKeyHash } from '../web/api-key.ts';
import { createBodyBudget } from '../web/body-budget.ts';

const tokens = 100_000;
const channels = 1_000;
const accounts = 20_000;
const batch = 1_000;

export type Report =
  | Readonly<{
      kind: 'ready';
      port: number;
      tokens: number;
      channels: number;
      readyMs: number;
      cpuMs: number;
      rssMb: number;
    }>
  | Readonly<{ kind: 'memory'; rssMb: number }>;

/** Reads from the relay how much memory its streams take. */
export const openStreams = 'memory';

/** The key of a token, of the usual 48 letters. */
export const keyOf = (index: number): string => String(index).padStart(48, 'k');

const tokenEntry = (index: number): TokenFeedEntry => ({
  tokenId: index + 1,
  userId: (index % accounts) + 1,
  status: 1,
  expiredTime: -1,
  unlimitedQuota: false,
  modelLimits: null,
  allowIps: [],
  group: '',
});

const accountEntry = (index: number): AccountFeedEntry => ({
  userId: index + 1,
  role: 1,
  status: 1,
  group: 'default',
  sessionEpoch: 0,
  sessionIds: [],
  acceptUnsetModelRatioModel: false,
});

const models = ['gpt-4o-mini', ...Array.from({ length: 49 }, (_none, at) => `model-${at}`)];

const channelEntry =
  (sealedKey: (channelId: number) => string, baseUrl: string) =>
  (index: number): ChannelFeedEntry => ({
    channelId: index + 1,
    status: 1,
    sealedKey: sealedKey(index + 1),
    settings: {
      type: 1,
      name: `channel ${index}`,
      models: index % 10 === 0 ? models : models.slice(1),
      groups: ['default', 'vip'],
      baseUrl,
      other: '',
      organization: '',
      testModel: '',
      tag: '',
      modelMapping: '',
      statusCodeMapping: '',
      setting: '',
      paramOverride: '',
      priority: index % 3,
      weight: index % 7,
      autoBan: true,
    },
  });

/** Entries as they are decoded: made on delivery, kept by the relay alone. */
const wire = <T>(
  count: number,
  keyAt: (index: number) => string,
  entryAt: (index: number) => T,
): Feed<unknown> => ({
  put: async () => {},
  get: async () => null,
  watch: async (onEntries) => {
    const deliver = async (): Promise<void> => {
      for (let from = 0; from < count; from += batch) {
        const length = Math.min(batch, count - from);
        const entries = Array.from({ length }, (_none, at): FeedEntry<unknown> => {
          const text = JSON.stringify(entryAt(from + at));
          return { key: keyAt(from + at), position: BigInt(from + at), value: JSON.parse(text) };
        });
        onEntries(entries);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { ready: deliver(), stop: async () => {} };
  },
});

const ofPlenty = { leaseId: 'l', producerId: 1 };

/** Every account has enough quota: what is measured is the relay. */
const plenty: LeaseBook = {
  tryReserve: (userId, tokenId, reserved) => ({ ...ofPlenty, userId, tokenId, reserved }),
  reserve: async ({ userId, tokenId, need: reserved }) => ({
    kind: 'reserved',
    reservation: { ...ofPlenty, userId, tokenId, reserved },
  }),
  extend: () => true,
  reserveMore: async ({ userId, tokenId }, reserved) => ({
    kind: 'reserved',
    reservation: { ...ofPlenty, userId, tokenId, reserved },
  }),
  settle: () => {},
  start: async () => {},
  stop: async () => {},
};

const megabytes = (): number => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1_048_576);
};

const tell = (report: Report): void => {
  process.send?.(report);
};

/** The relay under measure. */
export const serveScale = async (upstreamUrl: string): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'relay-scale-'));
  const clock = () => new Date();
  const logger = createLogger({ level: 'error', name: 'relay' });
  const keyring = new Keyring(newKeys(clock().toISOString()));
  const vault = createVault(keyring);
  const metrics = createMetrics({ process: 'relay' });
  const memory = createMemoryBus({ logger });
  const sealed = (channelId: number): string =>
    vault.sealForRelays('upstream-key', channelKeyPlace(channelId));
  const hashes = Array.from({ length: tokens }, (_none, index) => apiKeyHash(keyOf(index)));
  const feeds: Partial<Record<FeedName, Feed<unknown>>> = {
    tokens: wire(tokens, (index) => hashes[index] ?? '', tokenEntry),
    accounts: wire(accounts, (index) => String(index + 1), accountEntry),
    channels: wire(channels, (index) => String(index + 1), channelEntry(sealed, upstreamUrl)),
  };
  const bus: Bus = {
    ...memory,
    feed: <T>(name: FeedName) => (feeds[name] ?? memory.feed<T>(name)) as Feed<T>,
  };
  const relay = createRelay({
    ...nodeSystem,
    bus,
    vault: createRelayVault(() => keyring),
    sessionVerifier: createSessionVerifier(),
    clock,
    logger,
    metrics,
    leaseBook: plenty,
    journal: openJournal({ ...nodeSystem, directory, relayId: 'scale', clock, logger, metrics }),
    bodies: createBodyBudget(256 * 1_048_576),
    settings: {
      trustedProxies: [],
      maxBodyBytes: 1_048_576,
      streamIdleTimeoutMs: 600_000,
      headersTimeoutMs: 600_000,
      drainMs: 1_000,
    },
  });
  const begun = performance.now();
  const before = process.cpuUsage();
  await relay.start();
  const readyMs = Math.round(performance.now() - begun);
  const { user, system } = process.cpuUsage(before);
  hashes.length = 0;
  const server = createServer((req, res) => {
    if (!relay.handle(req, res)) res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  const cpuMs = Math.round((user + system) / 1_000);
  tell({ kind: 'ready', port, tokens, channels, readyMs, cpuMs, rssMb: megabytes() });
  process.on('message', () => tell({ kind: 'memory', rssMb: megabytes() }));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  process.on('SIGTERM', () => process.exit(0));
};
