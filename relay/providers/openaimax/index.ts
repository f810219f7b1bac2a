import { openaimax as facts } from '../../../domain/channel/providers/openaimax.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';

export const openaimax = defineProvider({
  ...openAiReseller(facts.baseUrl),
  account: {
    models: openAiModels({ baseUrl: facts.baseUrl }),
  },
});
