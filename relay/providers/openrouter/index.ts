import { openrouter as facts } from '../../../domain/channel/providers/openrouter.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { openAiWithResponses } from '../shared/openai/pass-through.ts';
import { openRouterAccount as account } from './account.ts';
import { openRouter as translate } from './translate.ts';

export const openrouter = defineProvider({
  owner: 'openrouter',
  ...openAiWithResponses({ baseUrl: facts.baseUrl, streamOptions: 'inject', siteHeaders: true }),
  translate,
  account,
});
