import { xinference as facts } from '../../../domain/channel/providers/xinference.ts';
import { openAiModels } from '../shared/account.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { mediaOf } from '../shared/openai/media.ts';
import { openAiPassThrough } from '../shared/openai/pass-through.ts';
import { xinference as translate } from './translate.ts';

const passing = openAiPassThrough({ baseUrl: facts.baseUrl, streamOptions: 'inject' });

export const xinference = defineProvider({
  owner: 'xinference',
  ...passing,
  media: { adapter: mediaOf(passing.text) },
  translate,
  account: { models: openAiModels({ baseUrl: facts.baseUrl }) },
});
