import type { RequestAbandoned, RequestCharged } from '../../../domain/account/events.ts';
import type { RequestFailed } from '../../../domain/relay/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { EventStore } from '../../../infra/ports/event-store.ts';
import type { Load } from './load.ts';

/** The records of requests in the whole log, read with none of the product's folds. */
export type Outcomes = Readonly<{
  charged: ReadonlyMap<string, number>;
  failed: ReadonlySet<string>;
  abandoned: ReadonlySet<string>;
}>;

export const readOutcomes = async (log: EventStore): Promise<Outcomes> => {
  const charged = new Map<string, number>();
  const failed = new Set<string>();
  const abandoned = new Set<string>();
  type Outcome = Recorded<RequestCharged | RequestFailed | RequestAbandoned>;
  for await (const { event } of log.readAll() as AsyncIterable<Outcome>) {
    if (event.type === 'RequestCharged') {
      const { requestId } = event.data.call;
      charged.set(requestId, (charged.get(requestId) ?? 0) + 1);
    }
    if (event.type === 'RequestFailed') failed.add(event.data.call.requestId);
    if (event.type === 'RequestAbandoned') abandoned.add(event.data.requestId);
  }
  return { charged, failed, abandoned };
};

/** Calls of the clients held against the log. All but the counts must be empty. */
export type Audit = Readonly<{
  /** Clients saw the whole answer, and the books hold no charge. */
  lost: readonly string[];
  doubled: readonly string[];
  /** A relay accepted the call, and the log has no outcome. */
  unaccounted: readonly string[];
  /** Charged and in the error log. A request given up may still be charged when its relay returns. */
  twoOutcomes: readonly string[];
  counts: Readonly<Record<string, number>>;
}>;

export const audit = ({ seen }: Pick<Load, 'seen'>, outcomes: Outcomes): Audit => {
  const { charged, failed, abandoned } = outcomes;
  const isKnown = (id: string): boolean => charged.has(id) || failed.has(id) || abandoned.has(id);
  const complete = seen.filter((call) => call.complete);
  const taken = seen.filter((call) => call.status === 200);
  return {
    lost: complete.map(({ requestId }) => requestId).filter((id) => !charged.has(id)),
    doubled: [...charged].filter(([, count]) => count > 1).map(([id]) => id),
    unaccounted: taken.map(({ requestId }) => requestId).filter((id) => !isKnown(id)),
    twoOutcomes: [...failed].filter((id) => charged.has(id)),
    counts: {
      asked: seen.length,
      complete: complete.length,
      brokenOff: taken.length - complete.length,
      turnedAway: seen.filter(({ status }) => status !== null && status !== 200).length,
      noAnswer: seen.filter(({ status }) => status === null).length,
      charged: charged.size,
      failed: failed.size,
      abandoned: abandoned.size,
      givenUpThenCharged: [...abandoned].filter((id) => charged.has(id)).length,
    },
  };
};
