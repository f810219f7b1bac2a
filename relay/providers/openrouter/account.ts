import { openrouter as facts } from '../../../domain/channel/providers/openrouter.ts';
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

export const openRouterAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/v1/credits`;
      const data = objectAt(await readJson(io, url, bearer(channel)), 'data');
      const bought = amountAt(data, 'total_credits');
      const used = amountAt(data, 'total_usage');
      return balanceOf(bought === null || used === null ? null : bought - used, 'USD');
    }),
} satisfies ProviderAccount;
