import { defineProvider } from '../shared/define-provider.ts';
import { geminiAccount as account } from './account.ts';
import { contentPassThrough } from './native.ts';
import { gemini as translate } from './translate.ts';

export const gemini = defineProvider({
  owner: 'google gemini',
  translate,
  account,
  gemini: contentPassThrough,
  dialect: () => 'gemini',
  forbidsInvalidKeys: true,
});
