import { withCompletions } from '../shared/completions-over-chat.ts';
import { defineProvider } from '../shared/define-provider.ts';
import { volcEngineAccount as account } from './account.ts';
import { volcEngine as translate } from './translate.ts';

export const volcengine = defineProvider({
  owner: 'volcengine',
  translate: withCompletions(translate),
  account,
});
