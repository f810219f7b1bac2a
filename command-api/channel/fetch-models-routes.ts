import { reject } from '../../domain/shared/decider.ts';
import { fetchModelsBody } from '../contract/channel.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { askForModels, askForModelsUnsaved } from './ask-for-account.ts';
import type { createChannelDirectory } from './directory.ts';
import { newChannelSettings } from './settings.ts';

type Directory = ReturnType<typeof createChannelDirectory>;

export const createFetchModelsRoutes = (services: Services, directory: Directory): Routes => {
  const answer = (said: Awaited<ReturnType<typeof askForModels>>): Answer => {
    if (said.kind === 'no-relay') return reject('channel.no-relay');
    return said.kind === 'models' ? ok(said.models) : reject('channel.models-not-fetched');
  };

  return {
    'GET /api/channel/fetch_models/:id': async (call: Call): Promise<Answer> => {
      const channel = await directory.find(call.params(idInPath).id);
      if (!channel) return reject('channel.unknown');
      return answer(await askForModels(services, channel));
    },
    /** Of a channel that is not saved yet. */
    'POST /api/channel/fetch_models': async (call: Call): Promise<Answer> => {
      const { base_url, type, key } = call.body(fetchModelsBody);
      const [first = ''] = key.split('\n');
      const settings = { ...newChannelSettings, type, baseUrl: base_url ?? '' };
      return answer(await askForModelsUnsaved(services, { settings, key: first.trim() }));
    },
  };
};
