import { cloudflare as facts } from '../../../domain/channel/providers/cloudflare.ts';
import { configurationError, orRefusal, refuse } from '../../protocol/refusal.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';

export const cloudflareAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const { other } = channel.settings;
      if (other === '') return refuse(configurationError('The channel names no account'));
      const account = `/client/v4/accounts/${encodeURIComponent(other)}`;
      const base = baseOf(channel, facts.baseUrl);
      const url = `${base}${account}/ai/models/search?per_page=1000`;
      return namesIn(await readJson(io, url, bearer(channel)), 'result', 'name');
    }),
} satisfies ProviderAccount;
