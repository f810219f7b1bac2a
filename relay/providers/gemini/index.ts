import { defineProvider } from '../shared/define-provider.ts';
import { geminiAccount as account } from './account.ts';
import { contentCounter } from './count.ts';
import { liveSessions as live } from './live.ts';
import { contentPassThrough } from './native.ts';
import { refusalCause } from './refusal.ts';
import { gemini as translate } from './translate.ts';

export const gemini = defineProvider({
  owner: 'google gemini',
  translate,
  account,
  gemini: contentPassThrough,
  counters: { gemini: contentCounter },
  dialect: () => 'gemini',
  live,
  refusalCause,
});
