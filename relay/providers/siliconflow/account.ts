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

const baseUrl = 'https://api.siliconflow.cn';

export const siliconFlowAccount: ProviderAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/v1/user/info`;
      const answer = await readJson(io, url, bearer(channel));
      const isFine = answer.code === 20_000;
      return balanceOf(isFine ? amountAt(objectAt(answer, 'data'), 'totalBalance') : null, 'CNY');
    }),
};
