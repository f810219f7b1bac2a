import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { baiduV2Account as account } from './account.ts';
import { baiduV2 as translate } from './translate.ts';

export const baiduV2 = defineProvider({
  owner: 'baidu',
  translate: withCompletions(translate),
  account,
  addsToPrompts: true,
});
