import { openAiModels, type ProviderAccount } from '../shared/account.ts';

export const fastGptAccount: ProviderAccount = {
  models: openAiModels({ baseUrl: 'https://fastgpt.run/api/openapi' }),
};
