import { openAiModels, type ProviderAccount } from '../shared/account.ts';
import { aliBase } from './chat.ts';

export const aliAccount = {
  models: openAiModels({ baseUrl: aliBase, path: '/compatible-mode/v1/models' }),
} satisfies ProviderAccount;
