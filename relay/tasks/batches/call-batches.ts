import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { parseObject } from '../../protocol/json.ts';
import type { BatchAdapter } from '../../providers/shared/batches/batch-adapter.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { callProvider, type NoAnswer, type ProviderCall } from '../call-provider.ts';

export type BatchPlace = Readonly<{ channel: UpstreamChannel; adapter: BatchAdapter }>;
type Asked = Pick<ProviderCall, 'method' | 'path' | 'body' | 'timeoutMs' | 'traced'>;

export const callBatches = (
  core: Pick<RelayCore, 'providerIo' | 'logger' | 'coolDowns'>,
  { channel, adapter }: BatchPlace,
  asked: Asked,
): Promise<HttpReply | NoAnswer> => {
  const type: Record<string, string> =
    asked.body === null ? {} : { 'content-type': 'application/json' };
  const headers = { accept: 'application/json', ...type, ...adapter.headers(channel) };
  return callProvider(core, channel, { ...asked, headers, baseUrl: adapter.baseUrl });
};

/** The provider's answer as an object; null where it is none. */
export const answerOf = (reply: HttpReply): JsonObject | null =>
  parseObject(reply.body.toString('utf8'));
