import { xai as facts } from '../../../domain/channel/providers/xai.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiWithResponses } from '../shared/openai/pass-through.ts';
import { xai as translate } from './translate.ts';

export const xai = defineProvider({
  owner: 'xai',
  ...openAiWithResponses({
    baseUrl: facts.baseUrl,
    streamOptions: 'inject',
  }),
  translate,
  account: { models: openAiModels({ baseUrl: facts.baseUrl }) },
  rewritesChat: () => true,
});
