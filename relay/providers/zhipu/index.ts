import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { zhipu as translate } from './translate.ts';

export const zhipu = defineProvider({
  owner: 'zhipu',
  translate: withCompletions(translate),
});
