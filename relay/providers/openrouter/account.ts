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

const baseUrl = 'https://openrouter.ai/api';

export const openRouterAccount: ProviderAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/v1/credits`;
      const data = objectAt(await readJson(io, url, bearer(channel)), 'data');
      const bought = amountAt(data, 'total_credits');
      const used = amountAt(data, 'total_usage');
      return balanceOf(bought === null || used === null ? null : bought - used, 'USD');
    }),
};
