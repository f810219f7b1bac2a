import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import { batchActions, writeBatchProperties } from '../../../domain/task/batch.ts';
import { writeCacheProperties } from '../../../domain/task/cache.ts';
import type { TaskPlatform } from '../../../domain/task/events.ts';
import { usageOf } from '../../../relay/tasks/caches/plan-cache.ts';
import type { CallPlan } from '../history.ts';
import { decimal, type OwnRatios, type Tokens } from '../oracle/calculator.ts';

/** What a call submits, as the product's checks would have planned it. */
export type TaskWork = Readonly<{
  platform: TaskPlatform;
  action: string;
  model: string;
  properties: string;
  quote: Quote;
  /** By which it is reserved, and charged where the provider does not count by itself. */
  usage: Usage;
  /** It is settled by its use. */
  isSettled: boolean;
  /** What the oracle works out the reservation and the charge from. */
  needed: Tokens;
  tokens: Tokens;
  ratios: OwnRatios;
}>;

type Planned = Pick<TaskWork, 'model' | 'quote' | 'usage' | 'needed' | 'tokens'>;

const batchWork = (planned: Planned, { batch }: CallPlan): TaskWork | null => {
  if (batch === undefined) return null;
  const { requests, ratioMilli } = batch;
  const { model, quote, usage } = planned;
  const { promptTokens, completionTokens } = usage;
  const properties = writeBatchProperties({
    ...{ model, requests, promptTokens, completionTokens },
    endpoint: '/v1/chat/completions',
    fileName: '',
    bytes: 0,
    inputFile: '',
    metadata: null,
  });
  return {
    ...planned,
    platform: 'batch',
    action: batchActions.openai,
    properties,
    quote: { ...quote, batch: { ratio: decimal(ratioMilli) } },
    usage: { ...usage, batchRequests: requests },
    isSettled: true,
    ratios: { batchMilli: ratioMilli },
  };
};

const allCreated = (tokens: number): Tokens => ({
  ...{ prompt: tokens, cached: 0, created: tokens, output: 0 },
});

/** Reserved by the relay's own count, charged by the provider's. */
const cacheWork = (
  { model, quote }: Planned,
  { cache, promptEstimate, promptTokens }: CallPlan,
): TaskWork | null => {
  if (cache?.does !== 'make' || quote.kind !== 'ratio') return null;
  const { creationMilli } = cache;
  return {
    model,
    platform: 'cache',
    action: 'CACHE',
    properties: writeCacheProperties({ model }),
    quote: { ...quote, cacheCreationRatio: decimal(creationMilli) },
    usage: usageOf(promptEstimate),
    isSettled: false,
    needed: allCreated(promptEstimate),
    tokens: allCreated(promptTokens),
    ratios: { creationMilli },
  };
};

export const taskWorkOf = (plan: CallPlan, quote: Quote): TaskWork => {
  const { promptTokens, outputTokens, task } = plan;
  const tokens = { prompt: promptTokens, cached: 0, output: outputTokens };
  const planned: Planned = {
    model: `model-${plan.model}`,
    quote,
    usage: {
      promptTokens,
      completionTokens: outputTokens,
      cachedTokens: 0,
      cacheCreationTokens: 0,
    },
    needed: tokens,
    tokens,
  };
  const music = { platform: 'suno', action: 'MUSIC', properties: '', ratios: {} } as const;
  const own = batchWork(planned, plan) ?? cacheWork(planned, plan);
  return own ?? { ...planned, ...music, isSettled: task?.end === 'settled' };
};
