import type { CallsRefused, Refusal } from '../../domain/relay/refusals.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { projector } from '../runtime/projector.ts';
import type { Place } from '../runtime/row-store.ts';
import { type RefusalRow, refusalsTables } from './table.ts';

const kindOf = ({ quarter, reason, userId, tokenId, model }: Refusal): string =>
  JSON.stringify([quarter, reason, userId, tokenId, model]);

const refusalsIn = (events: readonly Recorded[]): readonly Refusal[] =>
  events.flatMap(({ event }) =>
    event.type === 'CallsRefused' ? (event as CallsRefused).data.refusals : [],
  );

/** The rows that a batch changes, by their kind. */
const readRows = async (
  events: readonly Recorded[],
  { rows, schema }: Place,
): Promise<Map<string, RefusalRow>> => {
  const values = [...new Set(refusalsIn(events).map(kindOf))];
  if (values.length === 0) return new Map();
  const selection = { table: refusalsTables.kinds, column: 'kind', values };
  const changedRows = await rows.select<RefusalRow>(schema, selection);
  return new Map(changedRows.map((row) => [row.kind, row]));
};

const rowOf = (kind: string, refusal: Refusal, earlier: RefusalRow | undefined): RefusalRow => ({
  kind,
  quarter: refusal.quarter,
  reason: refusal.reason,
  user_id: refusal.userId,
  token_id: refusal.tokenId,
  model_name: refusal.model,
  count: (earlier?.count ?? 0) + refusal.count,
  first_request_id: earlier?.first_request_id ?? refusal.firstRequestId,
  last_request_id: refusal.lastRequestId,
});

/** Answers: which calls were refused, whose, and why? */
export const refusalsProjector = projector<CallsRefused>()({
  name: 'refusals',
  version: 1,
  tables: refusalsTables,
  prepare: readRows,
  on: {
    CallsRefused: ({ kinds }, { event: { data } }, rows) => {
      for (const refusal of data.refusals) {
        const kind = kindOf(refusal);
        const row = rowOf(kind, refusal, rows.get(kind));
        kinds.put(row);
        rows.set(kind, row);
      }
    },
  },
});
