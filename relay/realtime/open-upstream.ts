import type { WebSocket } from 'ws';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { lastError, notAsked, notOffered, refusedAnswer } from '../delivery/failures.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { type ApiError, gatewayError, isApiError } from '../protocol/api-error.ts';
import { providerOf } from '../providers/registry.ts';
import { bodyFailure } from '../providers/shared/failure.ts';
import { chooseChannel } from '../routing/choose.ts';
import { reportFailing } from '../routing/health.ts';
import { openSocket, type SocketRefusal } from '../upstream/socket.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
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
    const { status } = refusal;
    const body = sessionSecrets(plan, channel).withoutToken(refusal.body);
    return refusedAnswer(channel, status, bodyFailure(status, body));
  }
  return { kind: refusal.kind, upstreamStatus: 0, error: unreachable, retryable: true };
};

type Attempt = Readonly<{ socket: WebSocket | null; failure: UpstreamFailure; model: string }>;

const attempt = async (
  core: RelayCore,
  plan: SessionPlan,
  channel: UpstreamChannel,
): Promise<Attempt> => {
  const { ask } = plan;
  const request = providerOf(channel.type)?.realtime?.(channel, ask) ?? null;
  if (request === null) return { socket: null, failure: notOffered, model: ask.model };
  if (isApiError(request)) {
    return { socket: null, failure: notAsked(channel, request), model: ask.model };
  }
  const model = request.upstreamModel;
  const opened = await openSocket(request, core.settings.headersTimeoutMs);
  if (!('kind' in opened)) return { socket: opened, failure: notOffered, model };
  return { socket: null, failure: failureOf(plan, channel, opened), model };
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
    const { socket, failure, model } = await attempt(core, plan, channel);
    const facts = { channel, tried, upstreamModel: model };
    if (socket !== null) return { ...facts, upstream: socket };
    core.meters.attemptFailed(failure.kind);
    reportFailing(core, channel, { failure, body: nothing });
    const mayRetry = !isGone() && failure.retryable && tried.length <= retryTimes;
    const next = mayRetry ? chooseChannel(plan.route.tiers, tried) : null;
    if (next === null) return { ...facts, error: lastError(failure, 'openai') };
    channel = next;
  }
};
