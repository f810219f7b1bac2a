import { moonshot as facts } from '../../../domain/channel/providers/moonshot.ts';
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

export const moonshotAccount = {
  models: openAiModels({ baseUrl }),
  balance: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/v1/users/me/balance`;
      const data = objectAt(await readJson(io, url, bearer(channel)), 'data');
      return balanceOf(amountAt(data, 'available_balance'), 'CNY');
    }),
} satisfies ProviderAccount;
