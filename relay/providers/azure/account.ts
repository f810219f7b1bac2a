import { orRefusal } from '../../protocol/refusal.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { baseOf } from '../shared/outgoing.ts';

const defaultVersion = '2024-12-01-preview';

/** Base models of the resource; only the management interface has the deployments. */
export const azureAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const version = channel.settings.other || defaultVersion;
      const path =
        version === 'v1'
          ? '/openai/v1/models'
          : `/openai/models?api-version=${encodeURIComponent(version)}`;
      const url = baseOf(channel, '') + path;
      return namesIn(await readJson(io, url, { 'api-key': channel.key }), 'data', 'id');
    }),
} satisfies ProviderAccount;
