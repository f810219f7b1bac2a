import { openAiModels, type ProviderAccount } from '../shared/account.ts';
import { zhipuBase } from './legacy-request.ts';
import { authorization } from './token.ts';

export const zhipuAccount: ProviderAccount = {
  models: openAiModels({
    baseUrl: zhipuBase,
    path: '/api/paas/v4/models',
    headers: (channel, io) => ({ authorization: authorization({ channel, io }) }),
  }),
};
