import { siliconflow as facts } from '../../../domain/channel/providers/siliconflow.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { siliconFlowAccount as account } from './account.ts';
import { siliconFlow as translate } from './translate.ts';

export const siliconflow = defineProvider({
  owner: 'siliconflow',
  ...openAiPassThrough({ baseUrl: facts.baseUrl, streamOptions: 'inject' }),
  translate,
  account,
});
