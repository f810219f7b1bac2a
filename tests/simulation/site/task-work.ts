import type { Quote, Usage } from '../../../domain/pricing/types.ts';
import { batchActions, writeBatchProperties } from '../../../domain/task/batch.ts';
import type { TaskPlatform } from '../../../domain/task/events.ts';
import type { CallPlan } from '../history.ts';
import { decimal, type OwnRatios, type Tokens } from '../oracle/calculator.ts';

/** What a call submits, as the product's checks would have planned it. */
export type TaskWork = Readonly<{
  platform: TaskPlatform;
  action: string;
  model: string;
  properties: string;
  quote: Quote;
  /** By which it is reserved and charged. */
  usage: Usage;
  /** It is settled by its use. */
  isSettled: boolean;
  /** The same for the oracle. */
  tokens: Tokens;
  ratios: OwnRatios;
}>;

type Planned = Pick<TaskWork, 'model' | 'quote' | 'usage' | 'tokens'>;

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

export const taskWorkOf = (plan: CallPlan, quote: Quote): TaskWork => {
  const { promptTokens, outputTokens, task } = plan;
  const planned: Planned = {
    model: `model-${plan.model}`,
    quote,
    usage: {
      promptTokens,
      completionTokens: outputTokens,
      cachedTokens: 0,
      cacheCreationTokens: 0,
    },
    tokens: { prompt: promptTokens, cached: 0, output: outputTokens },
  };
  const music = { platform: 'suno', action: 'MUSIC', properties: '', ratios: {} } as const;
  return batchWork(planned, plan) ?? { ...planned, ...music, isSettled: task?.end === 'settled' };
};
