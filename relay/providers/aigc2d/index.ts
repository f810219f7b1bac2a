import { aigc2d as facts } from '../../../domain/channel/providers/aigc2d.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { creditsBalance } from '../shared/openai/billing.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';

export const aigc2d = defineProvider({
  ...openAiReseller(facts.baseUrl),
  account: {
    models: openAiModels({ baseUrl: facts.baseUrl }),
    balance: creditsBalance(facts.baseUrl, 'total_available'),
  },
});
