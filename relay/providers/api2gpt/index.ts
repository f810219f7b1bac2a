import { api2gpt as facts } from '../../../domain/channel/providers/api2gpt.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { creditsBalance } from '../shared/openai/billing.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';

export const api2gpt = defineProvider({
  ...openAiReseller(facts.baseUrl),
  account: {
    models: openAiModels({ baseUrl: facts.baseUrl }),
    balance: creditsBalance(facts.baseUrl, 'total_remaining'),
  },
});
