import { price } from '../../../domain/pricing/price.ts';
import type { Usage } from '../../../domain/pricing/types.ts';
import { writeCacheData } from '../../../domain/task/cache.ts';
import type { TaskFacts } from '../../../domain/task/events.ts';
import { emptyReport, finished } from '../../../domain/task/report.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, textAt } from '../../protocol/json.ts';

import type { AcceptedTask } from '../../settlement/charge.ts';
import { type PlannedCache, usageOf } from './plan-cache.ts';

/** A cache that the provider has made, with its answer. */
export type TakenCache = Readonly<{ upstreamId: string; answer: JsonObject }>;

/** What the provider billed for reading it in; by our own count where it does not report it. */
const tokensIn = (
  { answer }: TakenCache,
  { promptTokens, maxTokens }: Pick<PlannedCache, 'promptTokens' | 'maxTokens'>,
): number => {
  const reported = numberAt(objectAt(answer, 'usageMetadata'), 'totalTokenCount');
  const isUsable = reported !== null && Number.isSafeInteger(reported) && reported > 0;
  return Math.min(isUsable ? reported : promptTokens, maxTokens);
};

type Ordered = Readonly<{
  work: Pick<PlannedCache, 'quote' | 'promptTokens' | 'maxTokens'>;
  facts: TaskFacts;
  acceptedAt: string;
}>;

/** The outcome of a cache that was made, and what is paid for it. */
export const takenCache = (
  taken: TakenCache,
  { work, facts, acceptedAt }: Ordered,
): Readonly<{ outcome: AcceptedTask; used: Usage }> => {
  const { taskId, userId, channelId, platform } = facts;
  const { upstreamId, answer } = taken;
  const tokens = tokensIn(taken, work);
  const used = usageOf(tokens);
  const data = writeCacheData({ tokens, expiresAt: textAt(answer, 'expireTime') });
  const outcome = {
    kind: 'accepted',
    ...{ taskId, platform, userId, channelId, upstreamId },
    code: 0,
    description: '',
    quota: price(used, work.quote),
    acceptedAt,
    properties: '',
    report: { ...emptyReport, status: 'SUCCESS', progress: finished, data },
  } as const;
  return { outcome, used };
};
