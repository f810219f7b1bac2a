import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { ChannelSettings } from '../../../domain/channel/events.ts';
import type { ChannelFeedEntry } from '../../../domain/channel/feed.ts';
import type { OptionFeedEntry } from '../../../domain/option/feed.ts';
import type { TokenFeedEntry } from '../../../domain/token/feed.ts';
import type { AccountFeedEntry } from '../../../domain/user/feed.ts';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import type { Workers } from '../../../infra/ports/workers.ts';
import { nodeSystem } from '../../../infra/system/node-system.ts';
import { type BodyBudget, createBodyBudget } from '../../../infra/web/body-budget.ts';
import { createHttpServer } from '../../../infra/web/http-server.ts';
import type { LeaseBook } from '../../../relay/admission/lease-book.ts';
import { createRelay, type Relay, type RelaySettings } from '../../../relay/create-relay.ts';
import { testVerifier } from '../sessions.ts';
import { silentLogger } from '../silent-logger.ts';
import { aSessionId } from '../user-examples.ts';
import { fedKey, relayVaultOf, vaultOf } from '../vault.ts';
import { FakeJournal, FakeLeaseBook, noMetrics } from './relay-fakes.ts';
import { exchangeHttp, limits, type Reply } from './relay-http.ts';
import type { Answer } from './upstream-answers.ts';

export type { Reply } from './relay-http.ts';

export * from './upstream-answers.ts';

export const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

export type UpstreamSpy = Readonly<{
  url: string;
  requests: { path: string; headers: IncomingMessage['headers']; body: Buffer }[];
  close: () => void;
}>;

/** A provider that answers as the test configures. */
export const startUpstream = async (answer: Answer): Promise<UpstreamSpy> => {
  const requests: UpstreamSpy['requests'] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      requests.push({ path: req.url ?? '', headers: req.headers, body });
      answer(req, res, body);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const site = 'relay-harness';
export const vault = relayVaultOf(site);
/** Of the control plane, which signs people in and seals for relays. */
const siteVault = vaultOf(site);
export const sealedFor = (channelId: number, key: string): string =>
  fedKey(siteVault, channelId, key);
export const rawKey = 'k'.repeat(48);
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

export const aChannel = (
  channelId: number,
  settings: Partial<ChannelSettings>,
  status: 1 | 2 | 3 = 1,
): ChannelFeedEntry => ({
  channelId,
  status,
  sealedKey: sealedFor(channelId, `upstream-key-${channelId}`),
  settings: {
    type: 1,
    name: `channel ${channelId}`,
    models: ['gpt-4o-mini', 'text-embedding-3-small', 'gpt-3.5-turbo-instruct'],
    groups: ['default'],
    baseUrl: '',
    other: '',
    organization: '',
    testModel: '',
    tag: '',
    modelMapping: '',
    statusCodeMapping: '',
    setting: '',
    paramOverride: '',
    priority: 0,
    weight: 0,
    autoBan: true,
    ...settings,
  },
});

export const aToken = (terms: Partial<TokenFeedEntry> = {}): TokenFeedEntry => ({
  tokenId: 5,
  userId: 7,
  status: 1,
  expiredTime: -1,
  unlimitedQuota: false,
  modelLimits: null,
  allowIps: [],
  group: '',
  ...terms,
});

export const anAccount = (more: Partial<AccountFeedEntry> = {}): AccountFeedEntry => ({
  userId: 7,
  role: 1,
  status: 1,
  group: 'default',
  sessionEpoch: 3,
  sessionIds: [aSessionId()],
  acceptUnsetModelRatioModel: false,
  ...more,
});

export type Harness = Readonly<{
  relay: Relay;
  bus: Bus;
  leases: FakeLeaseBook;
  journal: FakeJournal;
  bodies: BodyBudget;
  port: number;
  put: Readonly<{
    channel: (entry: ChannelFeedEntry) => Promise<void>;
    token: (key: string, entry: TokenFeedEntry | null) => Promise<void>;
    account: (entry: AccountFeedEntry) => Promise<void>;
    option: (key: string, value: string) => Promise<void>;
  }>;
  send: (path: string, body: string | Buffer, headers?: Record<string, string>) => Promise<Reply>;
  get: (path: string, headers?: Record<string, string>) => Promise<Reply>;
  /** The next response whose connection ends, finished or not. */
  nextClose: () => Promise<void>;
  close: () => Promise<void>;
}>;

export type HarnessSettings = Partial<RelaySettings> & Readonly<{ bodyMemory?: number }>;

type HarnessOptions = Readonly<{
  logger?: Logger;
  /** Threads for long bodies; everything is done at once when absent. */
  workers?: Workers;
  /** In place of the fake one. */
  leaseBook?: (bus: Bus) => Promise<LeaseBook>;
}>;

/** A relay on a free port with a fake lease book and journal, one account, one token, no channel. */
export const startHarness = async (
  { bodyMemory = 64 * 1_048_576, ...settings }: HarnessSettings = {},
  { logger = silentLogger, workers, leaseBook }: HarnessOptions = {},
): Promise<Harness> => {
  const bodies = createBodyBudget(bodyMemory);
  const bus = createMemoryBus({ logger: silentLogger });
  const leases = new FakeLeaseBook();
  const journal = new FakeJournal();
  let position = 0n;
  const put = async <T>(
    feed: 'channels' | 'tokens' | 'accounts' | 'options',
    key: string,
    value: T | null,
  ): Promise<void> => {
    position += 1n;
    await bus.feed<T>(feed).put([{ key, position, value }]);
  };
  const relay = createRelay({
    ...nodeSystem,
    bus,
    vault,
    sessionVerifier: testVerifier,
    clock: () => new Date(),
    logger,
    metrics: noMetrics,
    leaseBook: (await leaseBook?.(bus)) ?? leases,
    journal,
    ...(workers === undefined ? {} : { workers }),
    bodies,
    settings: {
      trustedProxies: [],
      maxBodyBytes: 1_048_576,
      streamIdleTimeoutMs: 5_000,
      headersTimeoutMs: 5_000,
      drainMs: 2_000,
      ...settings,
    },
  });
  const puts = {
    channel: (entry: ChannelFeedEntry) => put('channels', String(entry.channelId), entry),
    token: (key: string, entry: TokenFeedEntry | null) => put('tokens', hashOf(key), entry),
    account: (entry: AccountFeedEntry) => put('accounts', String(entry.userId), entry),
    option: (key: string, value: string) => put<OptionFeedEntry>('options', key, { key, value }),
  };
  await puts.account(anAccount());
  await puts.token(rawKey, aToken());
  await relay.start();
  let closeWaiters: (() => void)[] = [];
  const handle: RequestListener = (req, res) => {
    if (!relay.handle(req, res)) res.writeHead(418).end();
    res.on('close', () => {
      const waiting = closeWaiters;
      closeWaiters = [];
      for (const wake of waiting) wake();
    });
  };
  const server = createHttpServer({ limits, handle, upgrade: relay.upgrade });
  const port = await listen(server);
  return {
    nextClose: () => new Promise((resolve) => closeWaiters.push(resolve)),
    relay,
    bus,
    leases,
    journal,
    bodies,
    port,
    put: puts,
    send: (path, body, headers = {}) => {
      const bytes = Buffer.from(body);
      return exchangeHttp(
        port,
        {
          method: 'POST',
          path,
          headers: {
            authorization: `Bearer sk-${rawKey}`,
            'content-type': 'application/json',
            'content-length': bytes.length,
            ...headers,
          },
        },
        bytes,
      );
    },
    get: (path, headers = {}) =>
      exchangeHttp(
        port,
        { method: 'GET', path, headers: { authorization: `Bearer sk-${rawKey}`, ...headers } },
        null,
      ),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await relay.stop();
      await bus.close();
    },
  };
};

export const chatBody = (more: object = {}): string =>
  JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...more });
