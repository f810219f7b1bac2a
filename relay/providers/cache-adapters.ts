import { gemini } from '../../domain/channel/providers/gemini.ts';
import { type CacheAdapter, geminiCaches } from './shared/gemini/caches.ts';

/**
 * Channels that have context caches, by their type. Those of Vertex AI have other names and belong to a
 * region; other providers keep prompts by themselves, or by marks in a call.
 */
const adapters: ReadonlyMap<number, CacheAdapter> = new Map([[gemini.id, geminiCaches]]);

export const cacheAdapterOf = (channelType: number): CacheAdapter | undefined =>
  adapters.get(channelType);
