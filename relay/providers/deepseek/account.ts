import { deepseek as facts } from '../../../domain/channel/providers/deepseek.ts';
import { objectsAt, textAt } from '../../protocol/json.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import {
  amountAt,
  balanceOf,
  openAiModels,
  type ProviderAccount,
  readJson,
} from '../shared/account.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';

const baseUrl = facts.baseUrl;

/** Accounts are in yuan, some in dollars. */
export const deepSeekAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/user/balance`;
      const accounts = objectsAt(await readJson(io, url, bearer(channel)), 'balance_infos');
      const account = accounts.find(({ currency }) => currency === 'CNY') ?? accounts[0] ?? {};
      return balanceOf(amountAt(account, 'total_balance'), textAt(account, 'currency'));
    }),
} satisfies ProviderAccount;
