import { openAiModels, type ProviderAccount } from '../shared/account.ts';

/** The second part of a key names an app and is no part of the credential. */
export const baiduV2Account: ProviderAccount = {
  models: openAiModels({
    baseUrl: 'https://qianfan.baidubce.com',
    path: '/v2/models',
    headers: ({ key }) => ({ authorization: `Bearer ${key.split('|')[0] ?? ''}` }),
  }),
};
