import { zhipuV4 as facts } from '../../../domain/channel/providers/zhipu-v4.ts';
import { openAiModels, type ProviderAccount } from '../shared/account.ts';
import { authorization } from '../shared/zhipu/token.ts';

export const zhipuV4Account = {
  models: openAiModels({
    baseUrl: facts.baseUrl,
    path: '/api/paas/v4/models',
    headers: (channel, io) => ({ authorization: authorization({ channel, io }) }),
  }),
} satisfies ProviderAccount;
