import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { xunfei as translate } from './translate.ts';

export const xunfei = defineProvider({
  owner: 'xunfei',
  translate: withCompletions(translate),
  needsOwnBody: true,
  addsToPrompts: true,
});
