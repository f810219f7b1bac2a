import {
  type CacheProperties,
  cacheNameOf,
  readCacheProperties,
  taskOfCacheName,
} from '../../../domain/task/cache.ts';
import type { FoundTask } from '../../../domain/task/messages.ts';
import type { Caller } from '../../admission/caller.ts';
import type { RelayCore } from '../../execution/relay-core.ts';
import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { type ApiError, isApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt } from '../../protocol/json.ts';
import { callError, relayError } from '../../protocol/relay-errors.ts';
import { cacheAdapterOf } from '../../providers/cache-adapters.ts';
import type {
  CacheAdapter,
  CacheAddress,
  CacheContext,
} from '../../providers/shared/gemini/caches.ts';
import { channelSetting } from '../../providers/shared/outgoing.ts';
import type { HttpReply } from '../../upstream/types.ts';
import { callProvider, type ProviderCall, prepared } from '../call-provider.ts';
import { ownTask, type Place, placeIn } from '../own-task.ts';
import type { NoAnswer } from '../provider-reply.ts';

/** Also of the cache of another user: that it exists is no business of others. */
export const cacheNotFound = callError('cached_content_not_found', undefined, 'cachedContent');
export const cacheChannelGone = relayError('cache_channel_gone');

export type OwnCache = Readonly<{ task: FoundTask; properties: CacheProperties }>;

/** A cache of the caller; null: there is none of this name. */
export const ownCache = async (
  core: Pick<RelayCore, 'bus'>,
  caller: Caller,
  name: string,
): Promise<OwnCache | null> => {
  const taskId = taskOfCacheName(name);
  const task = await ownTask(core, caller, { platform: 'cache', taskId });
  if (task === null) return null;
  const properties = readCacheProperties(task.report.properties);
  return properties === null ? null : { task, properties };
};

export type CachePlace = Place<CacheAdapter>;

/** Where a cache is; null: its channel is no longer there. */
export const placeOf = (
  core: Pick<RelayCore, 'channels'>,
  task: Pick<FoundTask, 'channelId'>,
): CachePlace | null => placeIn(core, task, cacheAdapterOf);

type Asked = Pick<ProviderCall, 'method' | 'body' | 'timeoutMs' | 'traced'> &
  Readonly<{
    at: (context: CacheContext) => CacheAddress | Promise<CacheAddress>;
    /** With its question mark. */
    query?: string;
  }>;

/** An error: the channel lacks what the call needs, and the provider was not called. */
export const callCaches = async (
  core: Pick<RelayCore, 'providerIo' | 'logger' | 'coolDowns'>,
  channel: UpstreamChannel,
  { at, query = '', ...asked }: Asked,
): Promise<HttpReply | NoAnswer | ApiError> => {
  const context = { channel, io: core.providerIo(channel.proxy) };
  const address = await prepared(core, channel, () => at(context));
  if (isApiError(address)) return address;
  const type: Record<string, string> =
    asked.body === null ? {} : { 'content-type': 'application/json' };
  const headers = { accept: 'application/json', ...type, ...address.headers };
  const path = `${address.path}${query}`;
  return callProvider(core, channel, { ...asked, headers, path, baseUrl: address.baseUrl });
};

/** The provider's description of a cache, under the names that its owner uses. */
export const cacheObject = (
  { task, properties }: Readonly<{ task: Pick<FoundTask, 'taskId'>; properties: CacheProperties }>,
  answer: JsonObject,
): JsonObject => ({
  ...answer,
  name: cacheNameOf(task.taskId),
  model: `models/${properties.model}`,
});

const defaultMaxSeconds = 10_800;

/** From its creation on; storage is paid by the operator alone (decision 0027). */
export const maxLifetimeOf = (channel: UpstreamChannel): number => {
  const seconds = numberAt(channelSetting(channel), 'cache_max_seconds') ?? defaultMaxSeconds;
  return Math.max(1, Math.floor(seconds));
};

export const tooLong = (maxSeconds: number): ApiError =>
  callError(
    'cache_ttl_too_long',
    `Cached content is kept for at most ${maxSeconds} seconds from its creation on`,
    'ttl',
  );
