import { lingyiwanwu as facts } from '../../../domain/channel/providers/lingyiwanwu.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { lingYiWanWu as translate } from './translate.ts';

export const lingyiwanwu = defineProvider({
  owner: '01.ai',
  ...openAiPassThrough({ baseUrl: facts.baseUrl, streamOptions: 'keep' }),
  translate,
  account: { models: openAiModels({ baseUrl: facts.baseUrl }) },
});
