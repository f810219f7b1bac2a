import type { Language } from '../../domain/access/language.ts';
import { optionIsOn, optionNumber } from '../../domain/option/read.ts';
import type { Lookups } from '../http/lookups.ts';
import type { AmountForm } from './content.ts';
import type { UsageLogRow } from './table.ts';
import type { Showing } from './wire.ts';

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)];
const errorType = 5;

export const amountFormOf = (options: ReadonlyMap<string, string>): AmountForm => ({
  inCurrency: optionIsOn(options, 'DisplayInCurrencyEnabled'),
  quotaPerUnit: optionNumber(options, 'QuotaPerUnit'),
});

/** Reads once for a page what its entries contain as ids. */
export const createShowing =
  (lookups: Lookups) =>
  async (
    rows: readonly UsageLogRow[],
    { language, forAdmin }: Readonly<{ language: Language; forAdmin: boolean }>,
  ): Promise<Showing> => {
    const users = distinct(rows.map(({ user_id }) => user_id));
    const failing = rows.filter(({ type }) => type === errorType);
    const [options, channelNames, usernames, tokenNames, seals] = await Promise.all([
      lookups.options(),
      forAdmin ? lookups.channelNames(distinct(rows.map(({ channel_id }) => channel_id))) : null,
      lookups.usernames(users, language),
      lookups.tokenNames(distinct(rows.map(({ token_id }) => token_id))),
      lookups.personalSeals(distinct(failing.map(({ user_id }) => user_id))),
    ]);
    return { language, amounts: amountFormOf(options), channelNames, usernames, tokenNames, seals };
  };
