import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';

export const cohereAccount: ProviderAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, 'https://api.cohere.ai')}/v1/models?page_size=1000`;
      return namesIn(await readJson(io, url, bearer(channel)), 'models', 'name');
    }),
};
