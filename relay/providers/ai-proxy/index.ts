import { aiProxy as facts } from '../../../domain/channel/providers/ai-proxy.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';
import { pointsBalance } from './account.ts';

export const aiProxy = defineProvider({
  ...openAiReseller(facts.baseUrl),
  account: {
    models: openAiModels({ baseUrl: facts.baseUrl }),
    balance: pointsBalance,
  },
});
