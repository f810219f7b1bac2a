import {
  amountAt,
  balanceOf,
  openAiModels,
  type ProviderAccount,
  readJson,
} from '../shared/account.ts';
import { objectsAt, textAt } from '../shared/json.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';

const baseUrl = 'https://api.deepseek.com';

/** Accounts are in yuan, some in dollars. */
export const deepSeekAccount: ProviderAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/user/balance`;
      const purses = objectsAt(await readJson(io, url, bearer(channel)), 'balance_infos');
      const purse = purses.find(({ currency }) => currency === 'CNY') ?? purses[0] ?? {};
      return balanceOf(amountAt(purse, 'total_balance'), textAt(purse, 'currency'));
    }),
};
