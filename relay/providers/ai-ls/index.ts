import { aiLs as facts } from '../../../domain/channel/providers/ai-ls.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';

export const aiLs = defineProvider({
  ...openAiReseller(facts.baseUrl),
  account: {
    models: openAiModels({ baseUrl: facts.baseUrl }),
  },
});
