import type { WebSocket } from 'ws';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { lastError, notAsked, notOffered, refusedAnswer } from '../delivery/failures.ts';
import { overriddenHeaders } from '../execution/outgoing-headers.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { bodyFailure } from '../providers/shared/failure.ts';
import { reportFailing } from '../routing/health.ts';
import { openSocket, type SocketRefusal } from '../upstream/socket.ts';
import type { SocketRequest, UpstreamFailure } from '../upstream/types.ts';
import type { Frame } from './frames.ts';
import { takeSetup } from './live-setup.ts';
import { sessionAdapter, sessionChannel } from './session-channel.ts';
import type { SessionPlan, SessionSockets } from './session-plan.ts';
import { sessionSecrets } from './shown-frame.ts';

export type OpenedUpstream = Omit<SessionSockets, 'client'>;
/** Facts of a session that no provider opened, for its failure record. */
export type FailedOpen = Omit<OpenedUpstream, 'upstream'> & Readonly<{ error: ApiError }>;

const unreachable = relayError('upstream_unreachable');
const nothing = Buffer.alloc(0);

const failureOf = (
  plan: SessionPlan,
  channel: UpstreamChannel,
  refusal: SocketRefusal,
): UpstreamFailure => {
  if (refusal.kind === 'status') {
    const { status, retryAfterSeconds } = refusal;
    const body = sessionSecrets(plan, channel).withoutToken(refusal.body);
    const failure = refusedAnswer(channel, status, bodyFailure(status, body));
    return retryAfterSeconds === null
      ? failure
      : { ...failure, error: { ...failure.error, retryAfterSeconds } };
  }
  return { kind: refusal.kind, upstreamStatus: 0, error: unreachable, retryable: true };
};

const withOverrides = (
  headers: Readonly<Record<string, string>>,
  { headerOverrides }: UpstreamChannel,
): Readonly<Record<string, string>> => {
  const list = overriddenHeaders(Object.entries(headers).flat(), headerOverrides);
  const all: Record<string, string> = {};
  for (let at = 0; at + 1 < list.length; at += 2) all[list[at] ?? ''] = list[at + 1] ?? '';
  return all;
};

type Attempt = Readonly<{
  socket: WebSocket | null;
  received: () => readonly Frame[];
  failure: UpstreamFailure;
  model: string;
  origin: string;
}>;

/** Where an attempt goes. */
type Target = Pick<Attempt, 'model' | 'origin'>;

const nothingYet = (): readonly Frame[] => [];

const failed = (failure: UpstreamFailure, target: Target): Attempt => ({
  ...{ socket: null, received: nothingYet, failure, ...target },
});

/** Without path and query, which may hold a key. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Begins the span of an attempt to open a session; the provider may continue its trace. */
const tracedHeaders = (
  { incoming: { trace }, ask: { protocol } }: SessionPlan,
  { channelId, type: channelType }: UpstreamChannel,
  target: Target,
): Readonly<Record<string, string>> => {
  if (trace === null) return {};
  const asked = { operation: 'realtime', protocol, channelType, channelId } as const;
  return { traceparent: trace.dispatched({ ...asked, ...target }) };
};

/** Sends the request, and what a provider requires before it accepts the session. */
const openAt = async (
  core: RelayCore,
  {
    plan,
    channel,
    target,
  }: Readonly<{ plan: SessionPlan; channel: UpstreamChannel; target: Target }>,
  request: SocketRequest,
): Promise<Attempt> => {
  const timeoutMs = core.settings.headersTimeoutMs;
  const { setup } = plan.ask;
  const socket = await openSocket(request, timeoutMs);
  if ('kind' in socket) return failed(failureOf(plan, channel, socket), target);
  const opened = { socket, failure: notOffered, ...target };
  if (setup === null) return { ...opened, received: nothingYet };
  const taken = await takeSetup(socket, setup(target.model), timeoutMs);
  if ('kind' in taken) return failed(failureOf(plan, channel, taken), target);
  return { ...opened, received: taken.received };
};

const attempt = async (
  core: RelayCore,
  plan: SessionPlan,
  channel: UpstreamChannel,
): Promise<Attempt> => {
  const { call, protocol } = plan.ask;
  const request = sessionAdapter(channel, protocol)?.(channel, call) ?? null;
  const unasked = { model: call.model, origin: '' };
  if (request === null) return failed(notOffered, unasked);
  if (isApiError(request)) return failed(notAsked(channel, request), unasked);
  const target = { model: request.upstreamModel, origin: originOf(request.url) };
  const traced = { ...request.headers, ...tracedHeaders(plan, channel, target) };
  const headers = withOverrides(traced, channel);
  const opened = await openAt(core, { plan, channel, target }, { ...request, headers });
  const { trace } = plan.incoming;
  if (opened.socket === null) trace?.failed(opened.failure);
  trace?.attemptEnded();
  return opened;
};

/** Opens the upstream socket, with failover, before the upgrade of the caller is answered. */
export const openUpstream = async (
  core: RelayCore,
  plan: SessionPlan,
  isGone: () => boolean,
): Promise<OpenedUpstream | FailedOpen> => {
  const retryTimes = plan.route.pinned === null ? core.options.current().retryTimes : 0;
  const tried: ChannelId[] = [];
  let { channel } = plan;
  for (;;) {
    tried.push(channel.channelId);
    const { socket, received, failure, model, origin } = await attempt(core, plan, channel);
    const facts = { channel, tried, upstreamModel: model, origin, received };
    if (socket !== null) return { ...facts, upstream: socket };
    core.meters.attemptFailed(failure.kind);
    core.coolDowns.note(channel.channelId, failure);
    reportFailing(core, channel, { failure, body: nothing });
    const mayRetry = !isGone() && failure.retryable && tried.length <= retryTimes;
    const { protocol } = plan.ask;
    const choice = { tiers: plan.route.tiers, protocol, tried };
    const next = mayRetry ? sessionChannel(core.coolDowns, choice) : null;
    if (next === null) return { ...facts, error: lastError(failure, protocol) };
    channel = next;
  }
};
