import { defineProvider } from '../shared/define-provider.ts';
import { palm as translate } from './translate.ts';

export const palm = defineProvider({
  owner: 'google palm',
  translate,
});
