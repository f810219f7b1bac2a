import { mistral as facts } from '../../../domain/channel/providers/mistral.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { mistral as translate } from './translate.ts';

export const mistral = defineProvider({
  owner: 'mistralai',
  ...openAiPassThrough({ baseUrl: facts.baseUrl, streamOptions: 'remove' }),
  translate,
  account: { models: openAiModels({ baseUrl: facts.baseUrl }) },
  rewritesChat: () => true,
});
