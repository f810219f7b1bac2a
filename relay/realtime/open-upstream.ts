import type { WebSocket } from 'ws';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { lastError, notAsked, notOffered, refusedAnswer } from '../delivery/failures.ts';
import { overriddenHeaders } from '../execution/outgoing-headers.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, gatewayError, isApiError } from '../protocol/api-error.ts';
import { providerOf } from '../providers/registry.ts';
import { bodyFailure } from '../providers/shared/failure.ts';
import { reportFailing } from '../routing/health.ts';
import { openSocket, type SocketRefusal } from '../upstream/socket.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { sessionChannel } from './session-channel.ts';
import type { SessionPlan, SessionSockets } from './session-plan.ts';
import { sessionSecrets } from './shown-frame.ts';

export type OpenedUpstream = Omit<SessionSockets, 'client'>;
/** Facts of a session that no provider opened, for its failure record. */
export type FailedOpen = Omit<OpenedUpstream, 'upstream'> & Readonly<{ error: ApiError }>;

const unreachable = gatewayError(502, 'upstream_unreachable', 'The upstream cannot be reached');
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
  failure: UpstreamFailure;
  model: string;
  origin: string;
}>;

/** Without path and query, which may hold a key. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Begins the span of an attempt to open a session; the provider may go on with its trace. */
const tracedHeaders = (
  { incoming: { trace } }: SessionPlan,
  { channelId, type: channelType }: UpstreamChannel,
  { model, origin }: Readonly<{ model: string; origin: string }>,
): Readonly<Record<string, string>> => {
  if (trace === null) return {};
  const asked = { operation: 'realtime', protocol: 'openai', channelType, channelId } as const;
  return { traceparent: trace.dispatched({ ...asked, model, origin }) };
};

const attempt = async (
  core: RelayCore,
  plan: SessionPlan,
  channel: UpstreamChannel,
): Promise<Attempt> => {
  const { ask } = plan;
  const request = providerOf(channel.type)?.realtime?.(channel, ask) ?? null;
  const unasked = { socket: null, model: ask.model, origin: '' };
  if (request === null) return { ...unasked, failure: notOffered };
  if (isApiError(request)) return { ...unasked, failure: notAsked(channel, request) };
  const { trace } = plan.incoming;
  const place = { model: request.upstreamModel, origin: originOf(request.url) };
  const traced = { ...request.headers, ...tracedHeaders(plan, channel, place) };
  const headers = withOverrides(traced, channel);
  const opened = await openSocket({ ...request, headers }, core.settings.headersTimeoutMs);
  const isOpen = !('kind' in opened);
  const failure = isOpen ? notOffered : failureOf(plan, channel, opened);
  if (!isOpen) trace?.failed(failure);
  trace?.attemptEnded();
  return { ...place, socket: isOpen ? opened : null, failure };
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
    const { socket, failure, model, origin } = await attempt(core, plan, channel);
    const facts = { channel, tried, upstreamModel: model, origin };
    if (socket !== null) return { ...facts, upstream: socket };
    core.meters.attemptFailed(failure.kind);
    core.coolDowns.note(channel.channelId, failure);
    reportFailing(core, channel, { failure, body: nothing });
    const mayRetry = !isGone() && failure.retryable && tried.length <= retryTimes;
    const next = mayRetry ? sessionChannel(core.coolDowns, plan.route.tiers, tried) : null;
    if (next === null) return { ...facts, error: lastError(failure, 'openai') };
    channel = next;
  }
};
