import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import type {
  VideoAdapter,
  VideoCall,
  VideoContext,
} from '../../providers/shared/videos/video-adapter.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { callProvider, type ProviderCall, prepared } from '../call-provider.ts';
import type { NoAnswer } from '../provider-reply.ts';

const jsonHeaders = { accept: 'application/json', 'content-type': 'application/json' };
const plainHeaders = { accept: 'application/json' };

export const contextOf = (
  core: RelayCore,
  channel: UpstreamChannel,
  requestedModel = '',
): VideoContext => ({
  channel,
  now: Math.floor(core.clock().getTime() / 1_000),
  io: core.providerIo(channel.proxy),
  requestedModel,
});

type Asked = Pick<ProviderCall, 'timeoutMs' | 'traced' | 'headBytes'> &
  Readonly<{ adapter: VideoAdapter; call: () => VideoCall | Promise<VideoCall> }>;

/** An error: the channel lacks what the call needs, and the provider was not called. */
export const callAdapter = async (
  core: RelayCore,
  channel: UpstreamChannel,
  { adapter: { baseUrl }, call: make, ...asked }: Asked,
): Promise<HttpReply | NoAnswer | ApiError> => {
  const call = await prepared(core, channel, make);
  if (isApiError(call)) return call;
  // A form names its own content type.
  const own = call.body === null || call.body instanceof FormData ? plainHeaders : jsonHeaders;
  const headers = { ...own, ...call.headers };
  return callProvider(core, channel, { baseUrl, ...call, ...asked, headers });
};
