import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';

export const ollamaAccount: ProviderAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, 'http://localhost:11434')}/api/tags`;
      return namesIn(await readJson(io, url, bearer(channel)), 'models', 'name');
    }),
};
