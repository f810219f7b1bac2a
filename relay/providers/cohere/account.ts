import { cohere as facts } from '../../../domain/channel/providers/cohere.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';

export const cohereAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, facts.baseUrl)}/v1/models?page_size=1000`;
      return namesIn(await readJson(io, url, bearer(channel)), 'models', 'name');
    }),
} satisfies ProviderAccount;
