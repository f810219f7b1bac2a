import { openAiModels, type ProviderAccount } from '../shared/account.ts';

export const volcEngineAccount: ProviderAccount = {
  models: openAiModels({ baseUrl: 'https://ark.cn-beijing.volces.com', path: '/api/v3/models' }),
};
