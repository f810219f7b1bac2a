import { channelDecider } from '../../domain/channel/decider.ts';
import { keyProblem, keysOf } from '../../domain/channel/key-form.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import { reasonField } from '../../domain/shared/reason.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type {
  channelApi,
  channelBalanceApi,
  channelBatchApi,
  channelModelsApi,
  channelTestApi,
} from '../contract/channel.ts';
import { ok, okLater } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { Ids } from '../identity/ids.ts';
import type { NewId } from '../identity/repeatable-ids.ts';
import type { JobRunner } from '../jobs/run-jobs.ts';
import { askForFigures } from './ask-for-figures.ts';
import { createChannelBalanceRoutes } from './balance-routes.ts';
import { createBatchRoutes } from './batch-routes.ts';
import { createChannelDirectory, type KnownChannel } from './directory.ts';
import { createFetchModelsRoutes } from './fetch-models-routes.ts';
import { newChannelSettings, withWireSettings } from './settings.ts';
import { createChannelTestRoutes } from './test-routes.ts';
import { channelRecord } from './wire.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  commands: CommandHandler;
  ids: Ids;
  newId: NewId;
  jobs: JobRunner;
}>;

/** Refuses the first key that its provider could not use. */
const formRefusal = (type: number, keys: readonly string[]): Rejected<RejectionCode> | null => {
  for (const key of keys) {
    const problem = keyProblem(type, key);
    if (problem !== null) return reject(problem.code, problem.details);
  }
  return null;
};

type ChannelRoutes = Handlers<
  typeof channelApi &
    typeof channelBatchApi &
    typeof channelTestApi &
    typeof channelBalanceApi &
    typeof channelModelsApi
>;

export const createChannelRoutes = (deps: Deps): ChannelRoutes => {
  const { newId, vault } = deps;
  const directory = createChannelDirectory(deps);

  const keyOf = ({ channelId, sealedKey }: KnownChannel): string =>
    vault.unseal(sealedKey, channelKeyPlace(channelId));

  type New = Readonly<{
    keys: readonly string[];
    settings: KnownChannel['settings'];
    enabled: boolean;
    keyFrom?: KnownChannel['settings'];
  }>;

  const createAll = async (call: Call, { keys, ...channel }: New) => {
    const createdIds: number[] = [];
    for (const [nth, key] of keys.entries()) {
      const channelId = await newId('channel', call, nth);
      const sealedKey = vault.seal(key, channelKeyPlace(channelId));
      const result = await call.perform(channelDecider, channelStreamId(channelId), {
        type: 'CreateChannel',
        data: { channelId, sealedKey, ...channel },
      });
      if (result.kind === 'rejected') return result;
      createdIds.push(channelId);
    }
    return ok({ ids: createdIds });
  };

  /** The keys of the body; a copy without one takes the key of its original, form unchecked. */
  const keysFor = (
    { type }: KnownChannel['settings'],
    text: string,
    original: KnownChannel | null,
  ): Pick<New, 'keys' | 'keyFrom'> | Rejected<RejectionCode> => {
    const keys = keysOf(type, text);
    if (keys.length === 0) {
      if (original === null) return reject('channel.key-required');
      return { keys: [keyOf(original)], keyFrom: original.settings };
    }
    return formRefusal(type, keys) ?? { keys };
  };

  /** A copy takes key and settings over, which the console never sees; counters start at 0. */
  const create = async (call: CallTo<'POST /api/channel/'>) => {
    const { body } = call;
    const original = body.copy_from ? await directory.find(body.copy_from) : null;
    if (body.copy_from && !original) return reject('channel.unknown');
    const settings = withWireSettings(original?.settings ?? newChannelSettings, body);
    const keys = keysFor(settings, body.key ?? '', original);
    if ('code' in keys) return keys;
    const enabled = original === null || original.status === 'enabled';
    return createAll(call, { ...keys, settings, enabled });
  };

  const changeStatus = async (
    call: Call,
    { channelId }: KnownChannel,
    status: number | null | undefined,
  ): Promise<Rejected<RejectionCode> | null> => {
    if (status !== 1 && status !== 2) return null;
    const result = await call.perform(channelDecider, channelStreamId(channelId), {
      type: status === 1 ? 'EnableChannel' : 'DisableChannel',
      data: { channelId },
    });
    return result.kind === 'rejected' ? result : null;
  };

  /** The key of an update; "" keeps the stored one. */
  const sealEntered = (
    channelId: KnownChannel['channelId'],
    type: number,
    key: string,
  ): Readonly<{ sealedKey?: string }> | Rejected<RejectionCode> => {
    if (key === '') return {};
    return formRefusal(type, [key]) ?? { sealedKey: vault.seal(key, channelKeyPlace(channelId)) };
  };

  const change = async (call: CallTo<'PUT /api/channel/'>) => {
    const { body } = call;
    const channel = await directory.find(body.id);
    if (!channel) return reject('channel.unknown');
    const { channelId } = channel;
    const streamId = channelStreamId(channelId);
    const settings = withWireSettings(channel.settings, body);
    const sealed = sealEntered(channelId, settings.type, body.key?.trim() ?? '');
    if ('code' in sealed) return sealed;
    const changed = await call.perform(channelDecider, streamId, {
      type: 'ChangeChannel',
      data: { channelId, settings, ...sealed, ...reasonField(body.reason) },
    });
    if (changed.kind === 'rejected') return changed;
    const refused = await changeStatus(call, channel, body.status);
    if (refused) return refused;
    const now = await directory.find(channelId);
    if (!now) return reject('channel.unknown');
    return okLater(async () => channelRecord(now, await askForFigures(deps, channelId)));
  };

  const remove = async (call: CallTo<'DELETE /api/channel/:id'>) => {
    const { id: channelId } = call.params;
    const result = await call.perform(channelDecider, channelStreamId(channelId), {
      type: 'DeleteChannel',
      data: { channelId },
    });
    return result.kind === 'rejected' ? result : ok();
  };

  return {
    'POST /api/channel/': create,
    'PUT /api/channel/': change,
    'DELETE /api/channel/:id': remove,
    ...createBatchRoutes(directory),
    ...createChannelTestRoutes(deps, directory),
    ...createChannelBalanceRoutes(deps, directory),
    ...createFetchModelsRoutes(deps, directory),
  };
};
