import { cacheNameOf, readCacheData } from '../../../domain/task/cache.ts';
import type { FindTasks } from '../../../domain/task/messages.ts';
import type { Bus } from '../../../infra/ports/bus.ts';
import { ownCache } from '../../../relay/tasks/caches/own-cache.ts';
import type { CallPlan } from '../history.ts';
import type { LogServer } from '../log/log-server.ts';
import type { Truth } from '../oracle/truth.ts';
import { callerOf } from './caller.ts';
import { foundIn } from './task-lists.ts';

export type FoundCache = Readonly<{ upstreamName: string; tokens: number }>;

/** Id for its customer. */
const nameOf = (id: number, { calls }: Truth): string => {
  const made = calls.find(({ plan: { cache } }) => cache?.does === 'make' && cache.id === id);
  return cacheNameOf(made?.requestId ?? 'none');
};

/** The cache that a call names, as the product reads it; null: its caller has none of that name. */
export const findCache = async (
  { log, truth }: Readonly<{ log: LogServer; truth: Truth }>,
  plan: CallPlan,
): Promise<FoundCache | null> => {
  const request = async (_subject: string, query: FindTasks) => ({ tasks: foundIn(log, query) });
  const bus = { request } as unknown as Bus;
  const own = await ownCache({ bus }, callerOf(plan), nameOf(plan.cache?.id ?? 0, truth));
  if (own === null) return null;
  const { upstreamId, report } = own.task;
  return { upstreamName: upstreamId, tokens: readCacheData(report.data).tokens };
};
