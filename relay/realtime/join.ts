import type { WebSocket } from 'ws';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { isApiError } from '../admission/caller.ts';
import { lastError, notAsked, notOffered, refusedAnswer } from '../exchange/failures.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import { realtimeRequest } from '../providers/realtime.ts';
import { bodyFailure } from '../providers/shared/failure.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import { chooseChannel } from '../routing/choose.ts';
import { reportFailing } from '../routing/health.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { openSocket, type SocketRefusal } from '../upstream/socket.ts';
import type { Joined, Terms } from './terms.ts';

export type Opened = Omit<Joined, 'client'>;
/** What the books are told of a session that nobody took. */
export type Unopened = Omit<Opened, 'upstream'> & Readonly<{ error: ApiError }>;

const unreachable = gatewayError(502, 'upstream_unreachable', 'The upstream cannot be reached');
const nothing = Buffer.alloc(0);

const failureOf = (channel: UpstreamChannel, refusal: SocketRefusal): UpstreamFailure => {
  if (refusal.kind === 'status') {
    const { status, body } = refusal;
    return refusedAnswer(channel, status, bodyFailure(status, body));
  }
  return { kind: refusal.kind, upstreamStatus: 0, error: unreachable, retryable: true };
};

type Attempt = Readonly<{ socket: WebSocket | null; failure: UpstreamFailure; model: string }>;

const attempt = async (
  core: RelayCore,
  { ask }: Terms,
  channel: UpstreamChannel,
): Promise<Attempt> => {
  const request = realtimeRequest(channel, ask);
  if (request === null) return { socket: null, failure: notOffered, model: ask.model };
  if (isApiError(request)) return { socket: null, failure: notAsked(request), model: ask.model };
  const model = request.upstreamModel;
  const opened = await openSocket(request, core.settings.headersTimeoutMs);
  if (!('kind' in opened)) return { socket: opened, failure: notOffered, model };
  return { socket: null, failure: failureOf(channel, opened), model };
};

/** Opens the provider's side, on another channel where one fails, before the caller's is joined. */
export const openUpstream = async (
  core: RelayCore,
  terms: Terms,
  isGone: () => boolean,
): Promise<Opened | Unopened> => {
  const retryTimes = terms.route.pinned === null ? core.options.current().retryTimes : 0;
  const tried: ChannelId[] = [];
  let { channel } = terms;
  for (;;) {
    tried.push(channel.channelId);
    const { socket, failure, model } = await attempt(core, terms, channel);
    const facts = { channel, tried, upstreamModel: model };
    if (socket !== null) return { ...facts, upstream: socket };
    core.meters.attemptFailed(failure.kind);
    reportFailing(core, channel, { failure, body: nothing });
    const mayRetry = !isGone() && failure.retryable && tried.length <= retryTimes;
    const next = mayRetry ? chooseChannel(terms.route.tiers, tried) : null;
    if (next === null) return { ...facts, error: lastError(failure) };
    channel = next;
  }
};
