import {
  amountAt,
  balanceOf,
  openAiModels,
  type ProviderAccount,
  readJson,
} from '../shared/account.ts';
import { objectAt } from '../shared/json.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';

const baseUrl = 'https://api.moonshot.cn';

export const moonshotAccount: ProviderAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/v1/users/me/balance`;
      const data = objectAt(await readJson(io, url, bearer(channel)), 'data');
      return balanceOf(amountAt(data, 'available_balance'), 'CNY');
    }),
};
