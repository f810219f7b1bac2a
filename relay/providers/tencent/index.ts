import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { tencent as translate } from './translate.ts';

export const tencent = defineProvider({
  owner: 'tencent',
  translate: withCompletions(translate),
  needsOwnBody: true,
  addsToPrompts: true,
});
