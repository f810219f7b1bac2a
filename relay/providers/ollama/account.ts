import { ollama as facts } from '../../../domain/channel/providers/ollama.ts';
import { orRefusal } from '../../protocol/refusal.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';

export const ollamaAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, facts.baseUrl)}/api/tags`;
      return namesIn(await readJson(io, url, bearer(channel)), 'models', 'name');
    }),
} satisfies ProviderAccount;
