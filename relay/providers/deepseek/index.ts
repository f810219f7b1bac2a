import { deepseek as facts } from '../../../domain/channel/providers/deepseek.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { deepSeekAccount as account } from './account.ts';
import { deepSeek as translate } from './translate.ts';

export const deepseek = defineProvider({
  owner: 'deepseek',
  ...openAiPassThrough({
    baseUrl: facts.baseUrl,
    streamOptions: 'inject',
    paths: { '/v1/completions': '/beta/completions' },
  }),
  translate,
  account,
  rewritesChat: () => true,
});
