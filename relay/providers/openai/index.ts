import { openai as facts } from '../../../domain/channel/providers/openai.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { billedBalance } from '../shared/openai/billing.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';
import { baseOf } from '../shared/outgoing.ts';
import { responsesCounter } from './count.ts';

const { baseUrl } = facts;

const own = openAiReseller(baseUrl, { organization: true, cloudflareGateway: true });

export const openai = defineProvider({
  ...own,
  counters: { openai: responsesCounter(own.responses) },
  dialect: () => 'openai',
  account: {
    models: openAiModels({ baseUrl }),
    balance: billedBalance((channel) => baseOf(channel, baseUrl)),
  },
});
