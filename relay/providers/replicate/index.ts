import { defineProvider } from '../shared/define-provider.ts';
import { replicate as translate } from './translate.ts';

export const replicate = defineProvider({
  owner: 'replicate',
  translate,
});
