import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { dify as translate } from './translate.ts';

export const dify = defineProvider({
  owner: 'dify',
  translate: withCompletions(translate),
  addsToPrompts: true,
});
