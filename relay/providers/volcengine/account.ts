import { volcengine as facts } from '../../../domain/channel/providers/volcengine.ts';
import { openAiModels, type ProviderAccount } from '../shared/account.ts';

export const volcEngineAccount = {
  models: openAiModels({ baseUrl: facts.baseUrl, path: '/api/v3/models' }),
} satisfies ProviderAccount;
