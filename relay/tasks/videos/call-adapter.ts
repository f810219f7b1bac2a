import { redactText } from '../../delivery/redaction.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { ApiError } from '../../protocol/api-error.ts';
import { upstreamFailure } from '../../providers/shared/failure.ts';
import type {
  VideoAdapter,
  VideoCall,
  VideoContext,
} from '../../providers/shared/videos/video-adapter.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { callProvider, type NoAnswer, type ProviderCall } from '../call-provider.ts';

const jsonHeaders = { accept: 'application/json', 'content-type': 'application/json' };
const plainHeaders = { accept: 'application/json' };

export const contextOf = (core: RelayCore, channel: UpstreamChannel): VideoContext => ({
  channel,
  now: Math.floor(core.clock().getTime() / 1_000),
});

type Asked = Pick<ProviderCall, 'timeoutMs' | 'traced'> &
  Readonly<{ adapter: VideoAdapter; call: VideoCall }>;

export const callAdapter = (
  core: RelayCore,
  channel: UpstreamChannel,
  { adapter: { baseUrl }, call, ...asked }: Asked,
): Promise<HttpReply | NoAnswer> => {
  // A form names its own content type.
  const own = call.body === null || call.body instanceof FormData ? plainHeaders : jsonHeaders;
  const headers = { ...own, ...call.headers };
  return callProvider(core, channel, { ...call, ...asked, headers, baseUrl });
};

export const isSuccess = ({ status }: HttpReply): boolean => status >= 200 && status <= 299;

/** What the provider said, without its addresses and keys, by the status that counts. */
export const providerError = (channel: UpstreamChannel, reply: HttpReply): ApiError => {
  const mapped = channel.statusMapping.get(reply.status) ?? reply.status;
  const status = mapped >= 400 && mapped <= 599 ? mapped : 502;
  const failure = upstreamFailure({ ...reply, status });
  return { ...failure, message: redactText(channel, failure.message) };
};
