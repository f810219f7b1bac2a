import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { aiProxyLibrary as translate } from './translate.ts';

export const aiproxyLibrary = defineProvider({
  owner: 'aiproxy library',
  translate: withCompletions(translate),
  addsToPrompts: true,
});
