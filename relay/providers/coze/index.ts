import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { coze as translate } from './translate.ts';

export const coze = defineProvider({
  owner: 'coze',
  translate: withCompletions(translate),
  addsToPrompts: true,
});
