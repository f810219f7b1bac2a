import { moonshot as facts } from '../../../domain/channel/providers/moonshot.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { moonshotAccount as account } from './account.ts';
import { moonshot as translate } from './translate.ts';

export const moonshot = defineProvider({
  owner: 'moonshot',
  ...openAiPassThrough({ baseUrl: facts.baseUrl, streamOptions: 'inject' }),
  translate,
  account,
});
