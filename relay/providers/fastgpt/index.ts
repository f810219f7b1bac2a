import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { fastGptAccount as account } from './account.ts';
import { fastGpt as translate } from './translate.ts';

export const fastgpt = defineProvider({
  owner: 'fastgpt',
  translate: withCompletions(translate),
  account,
  addsToPrompts: true,
});
