import { writeCacheData } from '../../../domain/task/cache.ts';
import { emptyReport, finished } from '../../../domain/task/report.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { numberAt, objectAt, textAt } from '../../protocol/json.ts';

import type { TakenJob } from '../job.ts';
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

/** A cache that was made, and what is paid for it. */
export const takenCache = (
  taken: TakenCache,
  work: Pick<PlannedCache, 'promptTokens' | 'maxTokens'>,
): TakenJob => {
  const { upstreamId, answer } = taken;
  const tokens = tokensIn(taken, work);
  const data = writeCacheData({ tokens, expiresAt: textAt(answer, 'expireTime') });
  const report = { ...emptyReport, status: 'SUCCESS', progress: finished, data };
  return { upstreamId, used: usageOf(tokens), details: { report } };
};
