import { reject } from '../../domain/shared/decider.ts';
import { fetchModelsBody } from '../contract/channel.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { type Account, askForModels } from './ask-for-account.ts';
import type { createChannelDirectory } from './directory.ts';
import { newChannelSettings } from './settings.ts';

type Directory = ReturnType<typeof createChannelDirectory>;

export const createFetchModelsRoutes = (services: Services, directory: Directory): Routes => {
  const answer = async (account: Account): Promise<Answer> => {
    const said = await askForModels(services, account);
    if (said.kind === 'no-relay') return reject('channel.no-relay');
    return said.kind === 'models' ? ok(said.models) : reject('channel.models-not-fetched');
  };

  return {
    'GET /api/channel/fetch_models/:id': async (call: Call): Promise<Answer> => {
      const channel = await directory.find(call.params(idInPath).id);
      return channel ? answer(channel) : reject('channel.unknown');
    },
    /** Of a channel that is not saved yet. */
    'POST /api/channel/fetch_models': async (call: Call): Promise<Answer> => {
      const { base_url, type, key } = call.body(fetchModelsBody);
      const [first = ''] = key.split('\n');
      return answer({
        channelId: 0,
        settings: { ...newChannelSettings, type, baseUrl: base_url ?? '' },
        sealedKey: services.vault.seal(first.trim()),
      });
    },
  };
};
