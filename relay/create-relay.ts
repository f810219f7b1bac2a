import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ChannelFeedEntry } from '../domain/channel/feed.ts';
import type { OptionFeedEntry } from '../domain/option/feed.ts';
import type { TokenFeedEntry } from '../domain/token/feed.ts';
import type { AccountFeedEntry } from '../domain/user/feed.ts';
import type { Stop } from '../infra/ports/bus.ts';
import { createClientAddress } from '../infra/web/client-address.ts';
import { createRateLimiter } from './admission/rate-limit.ts';
import { serveChannelAccounts } from './channel-accounts.ts';
import type { RelayDeps, RelaySettings } from './deps.ts';
import { createPace, usualBeatMs } from './exchange/pace.ts';
import { type AnswerBounds, usualBounds } from './exchange/pulse.ts';
import { createAccountDirectory } from './feeds/accounts.ts';
import { createOptionBook } from './feeds/options.ts';
import { createTokenDirectory } from './feeds/token-directory.ts';
import { createDoor } from './ingress/door.ts';
import { createCounting } from './metering/counting.ts';
import { createMeters, type RelayMeters } from './metering/meters.ts';
import { inlineWorkers } from './offload/inline-workers.ts';
import { createOffload } from './offload/offload.ts';
import { createRealtimeDoor } from './realtime/door.ts';
import type { RelayCore } from './relay-core.ts';
import { createRequestIds } from './request-id.ts';
import { createChannelDirectory } from './routing/routing-table.ts';
import { serveTaskPolls } from './tasks/serve-polls.ts';
import { serveChannelTests } from './test-channel.ts';
import { createProviderIo } from './upstream/provider-io.ts';
import { createUpstream } from './upstream/upstream.ts';

export type { RelayDeps, RelaySettings } from './deps.ts';

export type Relay = Readonly<{
  /** Answers when the path is the relay's, and says whether it is. */
  handle: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** The same for connections that become websockets; see `acceptUpgrades`. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Follows the feeds, starts the lease book; resolves when requests can be served. */
  start: () => Promise<void>;
  /** Takes no more requests, lets those in flight finish within a bound, then lets go. */
  stop: () => Promise<void>;
  ready: () => boolean;
  /** The vault has other keys than before. */
  reopenChannels: () => void;
}>;

/** How long a stop waits for requests in flight beyond the time for drains. */
const stopGraceMs = 10_000;
const pollMs = 25;
/** For counting and booking what was broken off. */
const bookingGraceMs = 5_000;

const boundsOf = (settings: RelaySettings): AnswerBounds => ({
  longestMs: settings.longestAnswerMs ?? usualBounds.longestMs,
  mostBytes: settings.mostAnswerBytes ?? usualBounds.mostBytes,
  // Some models think in silence for twice the usual time; the pool knows which.
  idleMs: 2 * settings.streamIdleTimeoutMs,
});

const createCore = (deps: RelayDeps): RelayCore => {
  const offload = createOffload(deps.workers ?? inlineWorkers, deps.logger);
  return {
    ...deps,
    offload,
    counting: createCounting(offload, deps.logger),
    tokens: createTokenDirectory(deps.bus.feed<TokenFeedEntry>('tokens')),
    accounts: createAccountDirectory(deps.bus.feed<AccountFeedEntry>('accounts')),
    options: createOptionBook(deps.logger),
    channels: createChannelDirectory(deps.vault, deps.logger),
    upstream: createUpstream({
      headersTimeoutMs: deps.settings.headersTimeoutMs,
      idleTimeoutMs: deps.settings.streamIdleTimeoutMs,
    }),
    providerIo: createProviderIo(deps.clock),
    meters: createMeters(deps.metrics, deps.timers),
    rateLimiter: createRateLimiter(deps),
    pace: createPace(deps.settings.beatMs ?? usualBeatMs),
    answerBounds: boundsOf(deps.settings),
    clientAddress: createClientAddress(deps.settings.trustedProxies),
    nextRequestId: createRequestIds(),
  };
};

const followFeeds = async ({ bus, channels, tokens, accounts, options }: RelayCore) => {
  const watches = await Promise.all([
    bus.feed<OptionFeedEntry>('options').watch(options.apply),
    bus.feed<AccountFeedEntry>('accounts').watch(accounts.apply),
    bus.feed<TokenFeedEntry>('tokens').watch(tokens.apply),
    bus.feed<ChannelFeedEntry>('channels').watch(channels.apply),
  ]);
  return {
    ready: Promise.all(watches.map((watch) => watch.ready)),
    stops: watches.map((watch) => watch.stop),
  };
};

const untilIdle = async (meters: RelayMeters, boundMs: number): Promise<void> => {
  const deadline = performance.now() + boundMs;
  while (meters.running() > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
};

/** The relay as one object; the composition root owns the server that it listens on. */
export const createRelay = (deps: RelayDeps): Relay => {
  const core = createCore(deps);
  let isOpen = false;
  let stops: readonly Stop[] = [];
  const realtime = createRealtimeDoor(core, () => isOpen);
  return {
    handle: createDoor(core, () => isOpen),
    upgrade: realtime.upgrade,
    start: async () => {
      const feeds = await followFeeds(core);
      const tests = await serveChannelTests(core);
      const accounts = await serveChannelAccounts(core);
      stops = [...feeds.stops, tests, accounts, await serveTaskPolls(core)];
      await feeds.ready;
      await deps.leaseBook.start();
      core.meters.start();
      core.pace.start();
      isOpen = true;
    },
    stop: async () => {
      isOpen = false;
      realtime.leave();
      await untilIdle(core.meters, stopGraceMs + deps.settings.drainMs);
      await Promise.all(stops.map((stop) => stop()));
      // What still runs is broken off here, and booked by what was received.
      realtime.close();
      await core.upstream.close();
      await untilIdle(core.meters, bookingGraceMs);
      await deps.leaseBook.stop();
      await deps.workers?.close();
      core.meters.stop();
      core.pace.stop();
    },
    ready: () => isOpen && deps.journal.healthy(),
    reopenChannels: core.channels.reopen,
  };
};
