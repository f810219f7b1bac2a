import { type Kysely, sql } from 'kysely';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { price } from '../../domain/pricing/price.ts';
import { groupRatioOf, isPriced, quoteFor } from '../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import { videoQuoteFor } from '../../domain/pricing/video-quote.ts';
import type { PricePreview } from '../contract/price-preview.ts';
import { sumRange } from './queries.ts';
import type { Stretch } from './split-range.ts';
import type { UsageLogSchema } from './table.ts';

type Db = Kysely<UsageLogSchema>;

/** Calls that are priced again for one preview, the newest first. */
const maxCalls = 20_000;
const callsPerBatch = 1_000;
const maxModels = 8;

/** What a call was charged with. */
export type ChargedCall = Readonly<{ group: string; quota: number; usage: Usage; quote: Quote }>;
type Tables = Readonly<{ before: PriceTable; after: PriceTable }>;

/** Sizes of pictures, prices of tools and the discount of a batch stay as they were agreed. */
const withExtrasOf = (quote: Quote, { picture, tools, batch }: Quote): Quote => ({
  ...quote,
  ...(batch === undefined ? {} : { batch }),
  ...(picture === undefined ? {} : { picture }),
  ...(tools === undefined ? {} : { tools }),
});

/** The price of a task is for its step; a step that was free stays so. */
const stepQuote = (quote: Extract<Quote, { kind: 'price' }>, group: string, after: PriceTable) => ({
  ...quote,
  groupRatio: groupRatioOf(after, group),
  modelPrice:
    Number(quote.modelPrice) === 0
      ? quote.modelPrice
      : (after.modelPrice.get(quote.model) ?? quote.modelPrice),
});

/** Quota units of the same usage under other prices; null where it would be refused. */
export const amountUnder = (call: ChargedCall, { before, after }: Tables): number | null => {
  const { usage, quote, group } = call;
  if (quote.kind === 'price' && quote.flat === true) {
    return price(usage, stepQuote(quote, group, after));
  }
  // What was let through without a price would be again.
  const acceptUnpriced = !isPriced(before, quote.model);
  const asked = { model: quote.model, group, acceptUnpriced };
  const video = quote.kind === 'price' ? quote.video : undefined;
  const next =
    video === undefined
      ? quoteFor(after, asked)
      : videoQuoteFor(after, { ...asked, size: video.size });
  return next === 'unpriced' ? null : price(usage, withExtrasOf(next, quote));
};

type ModelSums = { model_name: string; calls: number; charged: number; amount: number };

/** Adds up calls as they are read. */
export const createPreview = (tables: Tables) => {
  const models = new Map<string, ModelSums>();
  let unpriced = 0;
  const add = (call: ChargedCall): void => {
    const amount = amountUnder(call, tables);
    if (amount === null) unpriced += 1;
    const name = call.quote.model;
    const sums = models.get(name) ?? { model_name: name, calls: 0, charged: 0, amount: 0 };
    sums.calls += 1;
    sums.charged += call.quota;
    sums.amount += amount ?? 0;
    models.set(name, sums);
  };
  const result = (): Omit<PricePreview, 'total'> => {
    const all = [...models.values()];
    const sum = (of: 'calls' | 'charged' | 'amount') =>
      all.reduce((total, model) => total + model[of], 0);
    const change = ({ charged, amount }: ModelSums) => Math.abs(amount - charged);
    const changed = all.filter((model) => change(model) > 0);
    return {
      calls: sum('calls'),
      charged: sum('charged'),
      amount: sum('amount'),
      unpriced,
      models: changed.sort((a, b) => change(b) - change(a)).slice(0, maxModels),
    };
  };
  return { add, result };
};

type Row = Readonly<{
  id: number;
  created_at: number;
  group: string;
  quota: number;
  details: string;
}>;

const batchBefore = async (db: Db, { from }: Stretch, last: Pick<Row, 'created_at' | 'id'>) => {
  const { rows } = await sql<Row>`
    SELECT id, created_at, "group", quota, details FROM usage_log.entries
    WHERE type = 2 AND created_at >= ${from} AND (created_at, id) < (${last.created_at}, ${last.id})
    ORDER BY created_at DESC, id DESC LIMIT ${callsPerBatch}`.execute(db);
  return rows;
};

/** What the calls of a stretch would cost. Reads in batches, so that other calls get their turn. */
export const previewPrices = async (
  db: Db,
  stretch: Stretch,
  tables: Tables,
): Promise<PricePreview> => {
  const preview = createPreview(tables);
  let last: Pick<Row, 'created_at' | 'id'> = { created_at: stretch.to + 1, id: 0 };
  for (let read = 0; read < maxCalls; read += callsPerBatch) {
    const rows = await batchBefore(db, stretch, last);
    for (const { group, quota, details } of rows) {
      const { usage, quote } = JSON.parse(details) as Pick<ChargedCall, 'usage' | 'quote'>;
      preview.add({ group, quota, usage, quote });
    }
    const oldest = rows.at(-1);
    if (oldest === undefined || rows.length < callsPerBatch) break;
    last = oldest;
  }
  const all = { userId: 0, tokenIds: null, modelName: '', group: '', channel: 0, type: 2 };
  const { count } = await sumRange(db, { ...all, start: stretch.from, end: stretch.to });
  const found = preview.result();
  return { ...found, total: Math.max(count, found.calls) };
};
