import { zhinao as facts } from '../../../domain/channel/providers/zhinao.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { zhinao as translate } from './translate.ts';

export const zhinao = defineProvider({
  owner: '360',
  ...openAiPassThrough({ baseUrl: facts.baseUrl, streamOptions: 'keep' }),
  translate,
});
