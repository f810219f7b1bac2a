import { z } from 'zod';
import { priceStep } from './log.ts';
import { balancesQuery, ledgerExportQuery, ledgerQuery, userIdParams } from './query.ts';
import { route } from './route.ts';

/** The events that move a balance. */
const ledgerKind = z.enum([
  'QuotaGranted',
  'QuotaAdjusted',
  'RequestCharged',
  'RequestRefunded',
  'ReferralRewardTransferred',
  'CorrectionPosted',
]);
export type LedgerKind = z.infer<typeof ledgerKind>;

/** What a charge was computed from, as frozen in its event; the ratios are exact decimal text. */
const extras = {
  picture: z
    .object({
      size: z.string(),
      quality: z.string(),
      sizeRatio: z.string(),
      qualityRatio: z.string(),
      quotaPerUnit: z.number(),
    })
    .optional(),
  /** USD per 1,000 calls. */
  tools: z
    .object({ webSearch: z.string(), fileSearch: z.string(), quotaPerUnit: z.number() })
    .optional(),
  /** Of a batch: what the price of a single call is multiplied by. */
  batch: z.object({ ratio: z.string() }).optional(),
};
export const ledgerQuote = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ratio'),
    model: z.string(),
    modelRatio: z.string(),
    completionRatio: z.string(),
    cacheRatio: z.string(),
    cacheCreationRatio: z.string(),
    groupRatio: z.string(),
    audioRatio: z.string().optional(),
    audioCompletionRatio: z.string().optional(),
    imageRatio: z.string().optional(),
    ...extras,
  }),
  z.object({
    kind: z.literal('price'),
    model: z.string(),
    /** USD per call. */
    modelPrice: z.string(),
    groupRatio: z.string(),
    quotaPerUnit: z.number(),
    flat: z.literal(true).optional(),
    /** Of a video: `modelPrice` is USD per second at this size. */
    video: z.object({ size: z.string() }).optional(),
    ...extras,
  }),
]);
export const ledgerUsage = z.object({
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  cachedTokens: z.number().int(),
  cacheCreationTokens: z.number().int(),
  cacheApart: z.literal(true).optional(),
  audioInputTokens: z.number().int().optional(),
  cachedAudioTokens: z.number().int().optional(),
  audioOutputTokens: z.number().int().optional(),
  imageInputTokens: z.number().int().optional(),
  pictures: z.number().int().optional(),
  videoSeconds: z.number().int().optional(),
  webSearches: z.number().int().optional(),
  fileSearches: z.number().int().optional(),
  batchRequests: z.number().int().optional(),
});
const ledgerPrice = z.object({
  quote: ledgerQuote,
  usage: ledgerUsage,
  /** Quota units. */
  amount: z.number().int(),
  steps: z.array(priceStep),
});

const ledgerEntry = z.object({
  /** Place in the log; decimal text. */
  id: z.string(),
  event_id: z.string(),
  /** Unix seconds. */
  at: z.number().int(),
  kind: ledgerKind,
  /** Quota units, signed. */
  delta: z.number().int(),
  /** Quota units after this movement. */
  balance_after: z.number().int(),
  request_id: z.string(),
  token_id: z.number().int(),
  token_name: z.string(),
  model_name: z.string(),
  /** Channel id for admins, else 0. */
  channel: z.number().int(),
  /** Cause of an adjustment; its `reason` is the note of the person who made it. */
  reason_kind: z.enum(['set-by-admin', 'other']).nullable(),
  /** Free text or the source of a grant: `setup`, `registration`, `redemption`, … */
  reason: z.string(),
  /** Redemption id, trade number, corrected requests: what the cause names. */
  reference: z.string(),
  /** Ordinary users never see an admin's name or id. */
  actor: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
  price: ledgerPrice.nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** Quota that was set aside for a relay and not spent yet. */
const ledgerLease = z.object({
  token_id: z.number().int(),
  /** Of the relay, for admins; "" otherwise. */
  relay: z.string(),
  /** Unix seconds. */
  opened_at: z.number().int(),
  /** Quota units. */
  amount: z.number().int(),
  spent: z.number().int(),
});
export type LedgerLease = z.infer<typeof ledgerLease>;

const ledgerPage = z.object({
  items: z.array(ledgerEntry),
  page: z.number().int(),
  page_size: z.number().int(),
  total: z.number().int(),
  /** The instant that is shown, Unix seconds; null: now. */
  as_of: z.number().int().nullable(),
  /** Quota units, then or now. */
  balance: z.number().int(),
  /** Quota units spent in the life of the account. */
  used: z.number().int(),
  /** Leases that were open then, or are now. */
  leases: z.array(ledgerLease),
});
export type LedgerPage = z.infer<typeof ledgerPage>;

/** The exact balance at evenly spaced instants. */
const balanceSeries = z.array(
  z.object({
    /** Unix seconds. */
    at: z.number().int(),
    /** Quota units. */
    balance: z.number().int(),
  }),
);

const page = { query: ledgerQuery, data: ledgerPage };
const file = { query: ledgerExportQuery, row: ledgerEntry };

export const ledgerApi = {
  'GET /api/ledger/self': route('user', 'Lists the own movements, newest first.', page),
  'GET /api/ledger/self/export': route('user', 'Exports the own movements.', file),
  'GET /api/ledger/self/balances': route('user', 'Returns own balances, oldest first.', {
    query: balancesQuery,
    data: balanceSeries,
  }),
  'GET /api/ledger/:userId': route('user', 'Lists the movements of an account.', {
    ...page,
    params: userIdParams,
  }),
  'GET /api/ledger/:userId/export': route('user', 'Exports the movements of an account.', {
    ...file,
    params: userIdParams,
  }),
};
