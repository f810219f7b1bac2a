import { fastgpt as facts } from '../../../domain/channel/providers/fastgpt.ts';
import { openAiModels, type ProviderAccount } from '../shared/account.ts';

export const fastGptAccount = {
  models: openAiModels({ baseUrl: facts.baseUrl }),
} satisfies ProviderAccount;
