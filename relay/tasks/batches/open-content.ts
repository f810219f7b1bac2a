import type { RelayCore } from '../../execution/relay-core.ts';
import { isApiError } from '../../protocol/api-error.ts';
import { baseAddress } from '../../providers/shared/base-address.ts';
import type { Download } from '../../upstream/download.ts';
import { withOverrides } from '../call-provider.ts';
import type { BatchPlace } from './call-batches.ts';

/** A file of the provider's, as it arrives; null: it did not answer. */
export const openContent = async (
  core: Pick<RelayCore, 'logger' | 'openDownload'>,
  { channel, adapter }: BatchPlace,
  { path, signal }: Readonly<{ path: string; signal: AbortSignal }>,
): Promise<Download | null> => {
  const base = baseAddress(channel, adapter.baseUrl);
  if (isApiError(base)) return null;
  const url = `${base.origin}${base.prefix}${path}`;
  const headers = withOverrides(adapter.headers(channel), channel);
  try {
    const { proxy } = channel;
    return await core.openDownload({ url, headers, proxy, publicOnly: false, signal });
  } catch (error) {
    const { channelId } = channel;
    core.logger.warn({ channelId, error: String(error) }, 'a file of a batch was not fetched');
    return null;
  }
};
