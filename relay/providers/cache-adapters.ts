import { gemini } from '../../domain/channel/providers/gemini.ts';
import { vertex } from '../../domain/channel/providers/vertex.ts';
import { type CacheAdapter, geminiCaches } from './shared/gemini/caches.ts';
import { vertexCaches } from './vertex/caches.ts';

/**
 * Channels that have context caches, by their type. Other providers keep prompts by themselves, or by
 * marks in a call.
 */
const adapters: ReadonlyMap<number, CacheAdapter> = new Map([
  [gemini.id, geminiCaches],
  [vertex.id, vertexCaches],
]);

export const cacheAdapterOf = (channelType: number): CacheAdapter | undefined =>
  adapters.get(channelType);
