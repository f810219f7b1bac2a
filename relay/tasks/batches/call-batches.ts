import type { RelayCore } from '../../execution/relay-core.ts';
import type { BatchAdapter } from '../../providers/shared/batches/batch-adapter.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { callProvider, type ProviderCall } from '../call-provider.ts';
import type { Place } from '../own-task.ts';
import type { NoAnswer } from '../provider-reply.ts';

export type BatchPlace = Place<BatchAdapter>;
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
