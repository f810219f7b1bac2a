import { defineProvider } from '../shared/define-provider.ts';
import { cloudflareAccount as account } from './account.ts';
import { cloudflare as translate } from './translate.ts';

export const cloudflare = defineProvider({
  owner: 'cloudflare',
  translate,
  account,
});
