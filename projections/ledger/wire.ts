import type { Language } from '../../domain/access/language.ts';
import type { AdjustmentKind } from '../../domain/account/adjustment-reason.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { LedgerEntry, LedgerLease } from '../contract/ledger.ts';
import { timeText } from '../shared/export.ts';
import { shownActor } from '../shared/people.ts';
import { priceSteps } from '../shared/price-steps.ts';
import type { LeaseRow, LedgerRow } from './table.ts';

const priceOf = ({ price, delta }: LedgerRow): LedgerEntry['price'] => {
  if (price === null) return null;
  const { usage, quote } = JSON.parse(price) as { usage: Usage; quote: Quote };
  return { quote, usage, amount: delta === 0 ? 0 : -delta, steps: priceSteps(usage, quote) };
};

type Names = ReadonlyMap<number, string>;

/** A charge without a token is of the playground. */
const tokenNameOf = ({ kind, token_id }: LedgerRow, tokens: Names): string =>
  kind === 'RequestCharged' && token_id === 0 ? 'playground' : (tokens.get(token_id) ?? '');

/** `people` null: the reader is an ordinary user. */
export const toWire = (
  row: LedgerRow,
  { people, tokens }: Readonly<{ people: Names | null; tokens: Names }>,
): LedgerEntry => ({
  id: String(row.position),
  event_id: row.event_id,
  at: row.at,
  kind: row.kind,
  delta: row.delta,
  balance_after: row.balance_after,
  request_id: row.request_id,
  token_id: row.token_id,
  token_name: tokenNameOf(row, tokens),
  model_name: row.model_name,
  channel: people === null ? 0 : row.channel_id,
  reason_kind: row.reason_kind,
  reason: row.reason,
  reference: row.reference,
  actor: shownActor(row, people),
  price: priceOf(row),
});

export const leaseToWire = (row: LeaseRow, forAdmin: boolean): LedgerLease => ({
  token_id: row.token_id,
  relay: forAdmin ? row.relay_id : '',
  opened_at: row.opened_at,
  amount: row.amount,
  spent: row.spent,
});

/** Kinds of adjustment in words; the note of the person who made it follows. */
const adjustments: Readonly<Record<AdjustmentKind, Readonly<Record<Language, string>>>> = {
  'set-by-admin': { zh: '管理员调整', en: 'Adjusted by an administrator' },
  other: { zh: '', en: '' },
};

const reasonText = ({ reason_kind: kind, reason }: LedgerEntry, language: Language): string =>
  [kind === null ? '' : adjustments[kind][language], reason]
    .filter((part) => part !== '')
    .join(language === 'zh' ? '：' : ': ');

/** Columns of the file; the JSON form has the price line by line as well. */
export const ledgerColumns = (language: Language) => ({
  time: ({ at }: LedgerEntry) => timeText(at),
  kind: ({ kind }: LedgerEntry) => kind,
  delta: ({ delta }: LedgerEntry) => delta,
  balance_after: ({ balance_after }: LedgerEntry) => balance_after,
  request_id: ({ request_id }: LedgerEntry) => request_id,
  token_id: ({ token_id }: LedgerEntry) => token_id,
  token_name: ({ token_name }: LedgerEntry) => token_name,
  model_name: ({ model_name }: LedgerEntry) => model_name,
  channel: ({ channel }: LedgerEntry) => channel,
  prompt_tokens: ({ price }: LedgerEntry) => price?.usage.promptTokens ?? '',
  completion_tokens: ({ price }: LedgerEntry) => price?.usage.completionTokens ?? '',
  cached_tokens: ({ price }: LedgerEntry) => price?.usage.cachedTokens ?? '',
  cache_creation_tokens: ({ price }: LedgerEntry) => price?.usage.cacheCreationTokens ?? '',
  quote: ({ price }: LedgerEntry) => (price === null ? '' : JSON.stringify(price.quote)),
  reason: (entry: LedgerEntry) => reasonText(entry, language),
  reference: ({ reference }: LedgerEntry) => reference,
  actor_kind: ({ actor }: LedgerEntry) => actor.kind,
  actor_id: ({ actor }: LedgerEntry) => actor.id,
  actor_name: ({ actor }: LedgerEntry) => actor.name,
  event_id: ({ event_id }: LedgerEntry) => event_id,
});
