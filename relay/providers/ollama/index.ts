import { defineProvider } from '../shared/define-provider.ts';
import { ollamaAccount as account } from './account.ts';
import { ollama as translate } from './translate.ts';

export const ollama = defineProvider({
  owner: 'ollama',
  speaks: 'ollama',
  translate,
  account,
});
