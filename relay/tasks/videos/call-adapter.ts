import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
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
