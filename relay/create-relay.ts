import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ChannelFeedEntry } from '../domain/channel/feed.ts';
import type { OptionFeedEntry } from '../domain/option/feed.ts';
import type { ChannelCooling } from '../domain/relay/messages.ts';
import type { TokenFeedEntry } from '../domain/token/feed.ts';
import type { AccountFeedEntry } from '../domain/user/feed.ts';
import type { Stop } from '../infra/ports/bus.ts';
import { createClientAddress } from '../infra/web/client-address.ts';
import { CallLimiter } from './admission/call-limits/call-limiter.ts';
import { createRateLimiter } from './admission/rate-limit.ts';
import { RefusalCounter } from './admission/refusal-counter.ts';
import { serveChannelAccounts } from './channel-checks/channel-accounts.ts';
import { serveChannelTests } from './channel-checks/test-channel.ts';
import { type AnswerBounds, defaultBounds } from './delivery/answer-timeouts.ts';
import { createTicker, defaultTickMs } from './delivery/ticker.ts';
import type { RelayDeps, RelaySettings } from './execution/deps.ts';
import { inlineWorkers } from './execution/inline-workers.ts';
import type { RelayCore } from './execution/relay-core.ts';
import { createAccountDirectory } from './feeds/accounts.ts';
import { createChannelDirectory } from './feeds/channel-directory.ts';
import { createOptionBook } from './feeds/options.ts';
import { createTokenDirectory } from './feeds/token-directory.ts';
import { createRequestHandler } from './ingress/request-handler.ts';
import { createRequestIds } from './ingress/request-id.ts';
import { createConversations } from './kept-responses/conversations.ts';
import { createKeptResponses } from './kept-responses/kept-responses.ts';
import { createOffload } from './offload/offload.ts';
import { createLiveUpgrades } from './realtime/live-upgrades.ts';
import { createUpgradeHandler } from './realtime/upgrade-handler.ts';
import { createResponseUpgrades } from './response-sockets/upgrade-responses.ts';
import { CoolDowns } from './routing/cool-down.ts';
import { createCounting } from './settlement/counting.ts';
import { createMeters, type RelayMeters } from './settlement/meters.ts';
import { serveTaskPolls } from './tasks/serve-polls.ts';
import { openDownload } from './upstream/download.ts';
import { createProviderIo } from './upstream/provider-io.ts';
import { createUpstream } from './upstream/upstream.ts';

export type { RelayDeps, RelaySettings } from './execution/deps.ts';

export type Relay = Readonly<{
  /** Handles the request when the path is the relay's; returns whether it is. */
  handle: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** The same for connections that become websockets; see `acceptUpgrades`. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Follows the feeds, starts the lease book; resolves when requests can be served. */
  start: () => Promise<void>;
  /** Accepts no more requests, waits for those in flight within a bound, then closes. */
  stop: () => Promise<void>;
  ready: () => boolean;
  /** The vault has other keys than before. */
  reopenChannels: () => void;
}>;

/** How long a stop waits for requests in flight beyond the time for drains. */
const stopGraceMs = 10_000;
const pollMs = 25;
/** For counting and charging what was broken off. */
const chargeGraceMs = 5_000;

const boundsOf = (settings: RelaySettings): AnswerBounds => ({
  maxMs: settings.maxAnswerMs ?? defaultBounds.maxMs,
  maxBytes: settings.maxAnswerBytes ?? defaultBounds.maxBytes,
  // Reasoning models have twice the idle timeout, which the upstream client applies.
  idleMs: 2 * settings.streamIdleTimeoutMs,
});

const createCore = (deps: RelayDeps): RelayCore => {
  const offload = createOffload(deps.workers ?? inlineWorkers, deps.logger);
  const options = createOptionBook(deps.logger);
  return {
    ...deps,
    offload,
    counting: createCounting(offload, deps.logger),
    tokens: createTokenDirectory(deps.bus.feed<TokenFeedEntry>('tokens')),
    accounts: createAccountDirectory(deps.bus.feed<AccountFeedEntry>('accounts')),
    options,
    keptResponses: createKeptResponses({ ...deps, options }),
    conversations: createConversations({ ...deps, options }),
    channels: createChannelDirectory(deps.vault, deps.logger),
    coolDowns: new CoolDowns((channelId, seconds) =>
      deps.bus.publish<ChannelCooling>('channel.cooling', {
        channelId,
        until: new Date(deps.clock().getTime() + seconds * 1_000).toISOString(),
      }),
    ),
    upstream: createUpstream({
      headersTimeoutMs: deps.settings.headersTimeoutMs,
      idleTimeoutMs: deps.settings.streamIdleTimeoutMs,
    }),
    providerIo: createProviderIo(deps.clock),
    openDownload,
    meters: createMeters(deps.metrics, deps.timers),
    rateLimiter: createRateLimiter(deps),
    callLimiter: new CallLimiter(deps),
    refusals: new RefusalCounter({ ...deps, relayId: deps.journal.relayId }),
    ticker: createTicker(deps.settings.tickMs ?? defaultTickMs),
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
  const realtime = createUpgradeHandler(core, () => isOpen);
  const live = createLiveUpgrades(core, () => isOpen);
  const handle = createRequestHandler(core, () => isOpen);
  const responses = createResponseUpgrades(core, { serve: handle, isOpen: () => isOpen });
  return {
    handle,
    upgrade: (req, socket, head) =>
      realtime.upgrade(req, socket, head) ||
      live.upgrade(req, socket, head) ||
      responses.upgrade(req, socket, head),
    start: async () => {
      const feeds = await followFeeds(core);
      const tests = await serveChannelTests(core);
      const accounts = await serveChannelAccounts(core);
      stops = [...feeds.stops, tests, accounts, await serveTaskPolls(core)];
      await feeds.ready;
      await deps.leaseBook.start();
      core.meters.start();
      core.ticker.start();
      core.ticker.add(core.refusals);
      isOpen = true;
    },
    stop: async () => {
      isOpen = false;
      realtime.leave();
      live.leave();
      responses.leave();
      await untilIdle(core.meters, stopGraceMs + deps.settings.drainMs);
      await Promise.all(stops.map((stop) => stop()));
      // What still runs is broken off here, and booked by what was received.
      realtime.close();
      live.close();
      responses.close();
      await core.upstream.close();
      await untilIdle(core.meters, chargeGraceMs);
      await core.refusals.flush();
      await deps.leaseBook.stop();
      core.callLimiter.stop();
      await deps.workers?.close();
      core.meters.stop();
      core.ticker.stop();
    },
    ready: () => isOpen && deps.journal.healthy() && deps.journal.accepting(),
    reopenChannels: core.channels.reopen,
  };
};
