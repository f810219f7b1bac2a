import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { baidu as translate } from './translate.ts';

export const baidu = defineProvider({
  owner: 'baidu',
  translate: withCompletions(translate),
  addsToPrompts: true,
});
