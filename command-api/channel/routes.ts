import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import { reasonField } from '../../domain/shared/reason.ts';
import { channelKeyPlace } from '../../domain/shared/sealed.ts';
import { changeChannelBody, createChannelBody } from '../contract/channel.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok, okLater } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { Routes } from '../http/routes.ts';
import type { Services } from '../services.ts';
import { askForFigures } from './ask-for-figures.ts';
import { createChannelBalanceRoutes } from './balance-routes.ts';
import { createBatchRoutes } from './batch-routes.ts';
import { createChannelDirectory, type KnownChannel } from './directory.ts';
import { createFetchModelsRoutes } from './fetch-models-routes.ts';
import { keysOf, newChannelSettings, withWireSettings } from './settings.ts';
import { createChannelTestRoutes } from './test-routes.ts';
import { channelRecord } from './wire.ts';

export const createChannelRoutes = (services: Services): Routes => {
  const { newId, vault } = services;
  const directory = createChannelDirectory(services);

  const keyOf = ({ channelId, sealedKey }: KnownChannel): string =>
    vault.unseal(sealedKey, channelKeyPlace(channelId));

  type New = Readonly<{
    keys: readonly string[];
    settings: KnownChannel['settings'];
    enabled: boolean;
    keyFrom?: KnownChannel['settings'];
  }>;

  const createAll = async (call: Call, { keys, ...channel }: New): Promise<Answer> => {
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

  /** A copy takes key and settings over, which the console never sees; counters start at 0. */
  const create = async (call: Call): Promise<Answer> => {
    const body = call.body(createChannelBody);
    const original = body.copy_from ? await directory.find(body.copy_from) : null;
    if (body.copy_from && !original) return reject('channel.unknown');
    const settings = withWireSettings(original?.settings ?? newChannelSettings, body);
    const given = keysOf(settings.type, body.key);
    const keys = given.length === 0 && original ? [keyOf(original)] : given;
    if (keys.length === 0) return reject('channel.key-required');
    const enabled = original === null || original.status === 'enabled';
    const isCopied = given.length === 0 && original !== null;
    const from = isCopied ? { keyFrom: original.settings } : {};
    return createAll(call, { keys, settings, enabled, ...from });
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

  const change = async (call: Call): Promise<Answer> => {
    const body = call.body(changeChannelBody);
    const channel = await directory.find(body.id);
    if (!channel) return reject('channel.unknown');
    const { channelId } = channel;
    const streamId = channelStreamId(channelId);
    const settings = withWireSettings(channel.settings, body);
    const key = body.key?.trim();
    const sealed = key ? { sealedKey: vault.seal(key, channelKeyPlace(channelId)) } : {};
    const changed = await call.perform(channelDecider, streamId, {
      type: 'ChangeChannel',
      data: { channelId, settings, ...sealed, ...reasonField(body.reason) },
    });
    if (changed.kind === 'rejected') return changed;
    const refused = await changeStatus(call, channel, body.status);
    if (refused) return refused;
    const now = await directory.find(channelId);
    if (!now) return reject('channel.unknown');
    return okLater(async () => channelRecord(now, await askForFigures(services, channelId)));
  };

  const remove = async (call: Call): Promise<Answer> => {
    const { id: channelId } = call.params(idInPath);
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
    ...createBatchRoutes(services, directory),
    ...createChannelTestRoutes(services, directory),
    ...createChannelBalanceRoutes(services, directory),
    ...createFetchModelsRoutes(services, directory),
  };
};
