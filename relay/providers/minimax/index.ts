import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { miniMax as translate } from './translate.ts';

export const minimax = defineProvider({
  owner: 'minimax',
  translate: withCompletions(translate),
});
