import { siliconflow as facts } from '../../../domain/channel/providers/siliconflow.ts';
import { objectAt } from '../../protocol/json.ts';
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

export const siliconFlowAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/v1/user/info`;
      const answer = await readJson(io, url, bearer(channel));
      const isFine = answer.code === 20_000;
      return balanceOf(isFine ? amountAt(objectAt(answer, 'data'), 'totalBalance') : null, 'CNY');
    }),
} satisfies ProviderAccount;
