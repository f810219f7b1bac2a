import { defineProvider } from '../shared/define-provider.ts';
import { anthropicAccount as account } from './account.ts';
import { messagesCounter } from './count.ts';
import { messagesPassThrough } from './native.ts';
import { anthropic as translate } from './translate.ts';

export const anthropic = defineProvider({
  owner: 'anthropic',
  translate,
  account,
  claude: messagesPassThrough,
  counters: { claude: messagesCounter },
  dialect: () => 'claude',
  retriesBadRequests: true,
});
