import { baiduV2 as facts } from '../../../domain/channel/providers/baidu-v2.ts';
import { openAiModels, type ProviderAccount } from '../shared/account.ts';

/** The second part of a key names an app and is no part of the credential. */
export const baiduV2Account = {
  models: openAiModels({
    baseUrl: facts.baseUrl,
    path: '/v2/models',
    headers: ({ key }) => ({ authorization: `Bearer ${key.split('|')[0] ?? ''}` }),
  }),
} satisfies ProviderAccount;
