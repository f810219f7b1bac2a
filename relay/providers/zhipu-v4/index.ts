import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { zhipuV4Account as account } from './account.ts';
import { zhipuV4 as translate } from './translate.ts';

export const zhipuV4 = defineProvider({
  owner: 'zhipu_4v',
  translate: withCompletions(translate),
  account,
});
