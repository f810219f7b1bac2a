import { keysOf } from '../../domain/channel/key-form.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { channelModelsApi } from '../contract/channel.ts';
import { ok } from '../http/answer.ts';
import type { Handlers } from '../http/routes.ts';
import { askForModels, askForModelsUnsaved } from './ask-for-account.ts';
import type { createChannelDirectory } from './directory.ts';
import { newChannelSettings } from './settings.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
}>;

type Directory = ReturnType<typeof createChannelDirectory>;

export const createFetchModelsRoutes = (
  deps: Deps,
  directory: Directory,
): Handlers<typeof channelModelsApi> => {
  const answer = (reply: Awaited<ReturnType<typeof askForModels>>) => {
    if (reply.kind === 'no-relay') return reject('channel.no-relay');
    return reply.kind === 'models' ? ok(reply.models) : reject('channel.models-not-fetched');
  };

  return {
    'GET /api/channel/fetch_models/:id': async ({ params }) => {
      const channel = await directory.find(params.id);
      if (!channel) return reject('channel.unknown');
      return answer(await askForModels(deps, channel));
    },
    /** Of a channel that is not saved yet. */
    'POST /api/channel/fetch_models': async ({ body }) => {
      const { base_url, type, key } = body;
      const [first = ''] = keysOf(type, key);
      const settings = { ...newChannelSettings, type, baseUrl: base_url ?? '' };
      return answer(await askForModelsUnsaved(deps, { settings, key: first }));
    },
  };
};
