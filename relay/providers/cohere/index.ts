import { defineProvider } from '../shared/define-provider.ts';
import { cohereAccount as account } from './account.ts';
import { cohere as translate } from './translate.ts';

export const cohere = defineProvider({
  owner: 'cohere',
  speaks: 'cohere',
  translate,
  account,
});
