import { anthropic } from '../../domain/channel/providers/anthropic.ts';
import { openai } from '../../domain/channel/providers/openai.ts';
import type { BatchWire } from '../../domain/task/batch.ts';
import { anthropicBatches } from './shared/batches/anthropic.ts';
import type { BatchAdapter } from './shared/batches/batch-adapter.ts';
import { openAiBatches } from './shared/batches/openai.ts';

/** Channels that take batches, by their type. */
const adapters: ReadonlyMap<number, BatchAdapter> = new Map([
  [openai.id, openAiBatches],
  [anthropic.id, anthropicBatches],
]);

export const batchAdapterOf = (channelType: number): BatchAdapter | undefined =>
  adapters.get(channelType);

export const takesBatches = (channelType: number, wire: BatchWire): boolean =>
  adapters.get(channelType)?.wire === wire;
