import { defineProvider } from '../shared/define-provider.ts';
import { perplexity as translate } from './translate.ts';

export const perplexity = defineProvider({
  owner: 'perplexity',
  translate,
});
