import { defineProvider } from '../shared/define-provider.ts';
import { mokaAi as translate } from './translate.ts';

export const mokaai = defineProvider({
  owner: 'mokaai',
  translate,
});
