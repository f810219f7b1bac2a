import type { TaskId } from './events.ts';

/** Id of a context cache for callers; the provider's name of it is not shown. */
const prefix = 'cachedContents/tg-';

export const cacheNameOf = (taskId: TaskId): string => `${prefix}${taskId}`;

/** null: no name of a cache of ours. */
export const taskOfCacheName = (name: string): TaskId | null =>
  name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : null;

/** The request, as the task keeps it in its properties. */
export type CacheProperties = Readonly<{ model: string }>;

export const writeCacheProperties = ({ model }: CacheProperties): string =>
  JSON.stringify({ model });

/** null: the text is gone with its user. */
export const readCacheProperties = (text: string): CacheProperties | null => {
  if (text === '') return null;
  const { model } = JSON.parse(text) as Partial<CacheProperties>;
  return model === undefined ? null : { model };
};

/** The provider's answer when it accepted the cache, as the report of the task keeps it. */
export type CacheData = Readonly<{
  tokens: number;
  /** ISO-8601; its owner may have changed it since. */
  expiresAt: string;
}>;

export const writeCacheData = ({ tokens, expiresAt }: CacheData): string =>
  JSON.stringify({ tokens, expiresAt });

export const readCacheData = (text: string): CacheData => {
  const { tokens = 0, expiresAt = '' } =
    text === '' ? {} : (JSON.parse(text) as Partial<CacheData>);
  return { tokens, expiresAt };
};
