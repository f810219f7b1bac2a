import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { aliAccount as account } from './account.ts';
import { ali as translate } from './translate.ts';

export const ali = defineProvider({
  owner: 'ali',
  translate: withCompletions(translate),
  account,
});
