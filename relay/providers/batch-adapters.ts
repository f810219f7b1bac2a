import { ali } from '../../domain/channel/providers/ali.ts';
import { anthropic } from '../../domain/channel/providers/anthropic.ts';
import { openai } from '../../domain/channel/providers/openai.ts';
import type { BatchWire } from '../../domain/task/batch.ts';
import { anthropicBatches } from './shared/batches/anthropic.ts';
import type { BatchAdapter } from './shared/batches/batch-adapter.ts';
import { openAiBatches } from './shared/batches/openai.ts';

/**
 * Channels that accept batches, by their type. Others have calls of another shape (Mistral,
 * Bedrock, Vertex AI, Gemini), or let a batch run without a limit, and the product gives up before
 * (Azure).
 */
const adapters: ReadonlyMap<number, BatchAdapter> = new Map([
  [openai.id, openAiBatches({ baseUrl: openai.baseUrl, root: '/v1' })],
  [anthropic.id, anthropicBatches],
  [ali.id, openAiBatches({ baseUrl: ali.baseUrl, root: '/compatible-mode/v1' })],
]);

export const batchAdapterOf = (channelType: number): BatchAdapter | undefined =>
  adapters.get(channelType);

export const takesBatches = (channelType: number, wire: BatchWire): boolean =>
  adapters.get(channelType)?.wire === wire;
