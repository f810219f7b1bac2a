import { defineProvider } from '../shared/define-provider.ts';
import { jina as translate } from './translate.ts';

export const jina = defineProvider({
  owner: 'jina',
  translate,
});
