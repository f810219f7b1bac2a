import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { channelBatchApi } from '../contract/channel.ts';
import { ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { createChannelDirectory, KnownChannel } from './directory.ts';
import { withWireSettings } from './settings.ts';

type Directory = ReturnType<typeof createChannelDirectory>;

/**
 * One act over many channels. Each channel is a separate stream, so each one succeeds or fails
 * alone.
 */
export const createBatchRoutes = (directory: Directory): Handlers<typeof channelBatchApi> => {
  /** How many were deleted; unknown ids do not count. */
  const deleteAll = async (call: Call, ids: readonly ChannelId[]): Promise<number> => {
    let deleted = 0;
    for (const channelId of new Set(ids)) {
      const result = await call.perform(channelDecider, channelStreamId(channelId), {
        type: 'DeleteChannel',
        data: { channelId },
      });
      if (result.kind === 'accepted') deleted += 1;
    }
    return deleted;
  };

  const deleteDisabled = async (call: Call) => {
    const all = await directory.all();
    const disabled = all.filter(({ status }) => status !== 'enabled');
    const ids = disabled.map(({ channelId }) => channelId);
    return ok(await deleteAll(call, ids));
  };

  const tagSome = async (call: CallTo<'POST /api/channel/batch/tag'>) => {
    const { ids, tag } = call.body;
    let tagged = 0;
    for (const channelId of new Set(ids)) {
      const result = await call.perform(channelDecider, channelStreamId(channelId), {
        type: 'TagChannel',
        data: { channelId, tag: tag ?? '' },
      });
      if (result.kind === 'accepted') tagged += 1;
    }
    return ok(tagged);
  };

  const ofTag = async (tag: string): Promise<readonly KnownChannel[]> =>
    (await directory.all()).filter(({ settings }) => settings.tag === tag);

  const switchTag =
    (type: 'EnableChannel' | 'DisableChannel') =>
    async (call: CallTo<'POST /api/channel/tag/enabled'>) => {
      for (const { channelId } of await ofTag(call.body.tag)) {
        const result = await call.perform(channelDecider, channelStreamId(channelId), {
          type,
          data: { channelId },
        });
        if (result.kind === 'rejected') return result;
      }
      return ok();
    };

  /** Empty fields mean no change, except `new_tag`, which dissolves the tag. */
  const editTag = async (call: CallTo<'PUT /api/channel/tag'>) => {
    const { tag, new_tag, model_mapping, models, groups, priority, weight } = call.body;
    for (const { channelId, settings } of await ofTag(tag)) {
      const wire = { models, group: groups, model_mapping: model_mapping || null, tag: new_tag };
      const result = await call.perform(channelDecider, channelStreamId(channelId), {
        type: 'ChangeChannel',
        data: { channelId, settings: withWireSettings(settings, { ...wire, priority, weight }) },
      });
      if (result.kind === 'rejected') return result;
    }
    return ok();
  };

  return {
    'DELETE /api/channel/disabled': deleteDisabled,
    'POST /api/channel/batch': async (call) => ok(await deleteAll(call, call.body.ids)),
    'POST /api/channel/batch/tag': tagSome,
    'PUT /api/channel/tag': editTag,
    'POST /api/channel/tag/enabled': switchTag('EnableChannel'),
    'POST /api/channel/tag/disabled': switchTag('DisableChannel'),
  };
};
