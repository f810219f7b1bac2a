import { ohmygpt as facts } from '../../../domain/channel/providers/ohmygpt.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiReseller } from '../shared/openai/reseller.ts';

export const ohmygpt = defineProvider({
  ...openAiReseller(facts.baseUrl),
  account: {
    models: openAiModels({ baseUrl: facts.baseUrl }),
  },
});
