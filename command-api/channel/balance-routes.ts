import type { ChannelCommand } from '../../domain/channel/commands.ts';
import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import { reject } from '../../domain/shared/decider.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import { systemMetadata } from '../metadata.ts';
import type { Services } from '../services.ts';
import type { createChannelDirectory, KnownChannel } from './directory.ts';
import { hasBalance, readBalance } from './read-balance.ts';

type Directory = ReturnType<typeof createChannelDirectory>;

/** A round that died with its process is over after this long. */
const longestRoundSeconds = 3_600;

export const createChannelBalanceRoutes = (services: Services, directory: Directory): Routes => {
  const { bus, clock, commands, logger, vault } = services;
  const running = bus.keyValue('channel-balance', { ttlSeconds: longestRoundSeconds });

  const balanceOf = ({ settings, sealedKey }: KnownChannel): Promise<string | null> => {
    const { type, baseUrl } = settings;
    return readBalance({ type, baseUrl, key: vault.unseal(sealedKey), now: clock() });
  };

  const readOne = async (call: Call): Promise<Answer> => {
    const { id: channelId } = call.params(idInPath);
    const channel = await directory.find(channelId);
    if (!channel) return reject('channel.unknown');
    if (!hasBalance(channel.settings.type)) return reject('channel.balance-unsupported');
    const balance = await balanceOf(channel);
    if (balance === null) return reject('channel.balance-not-read');
    const recorded = await call.perform(channelDecider, channelStreamId(channelId), {
      type: 'RecordBalance',
      data: { channelId, balance },
    });
    return recorded.kind === 'rejected' ? recorded : ok(undefined, { balance: Number(balance) });
  };

  const give = async (wish: Pick<ChannelCommand, 'type' | 'data'>): Promise<void> => {
    const command = { ...wish, metadata: systemMetadata('channel-balance', clock) };
    const streamId = channelStreamId(wish.data.channelId);
    await commands.handle(channelDecider, streamId, command as ChannelCommand);
  };

  /** One that has nothing left is disabled, where its operator lets the gateway do so. */
  const refresh = async (channel: KnownChannel): Promise<void> => {
    const { channelId } = channel;
    const balance = await balanceOf(channel);
    if (balance === null) return;
    await give({ type: 'RecordBalance', data: { channelId, balance } });
    if (Number(balance) > 0) return;
    await give({ type: 'AutoDisableChannel', data: { channelId, reason: 'insufficient balance' } });
  };

  const runRound = async (): Promise<void> => {
    try {
      for (const channel of await directory.all()) {
        if (channel.status === 'enabled' && hasBalance(channel.settings.type)) {
          await refresh(channel);
        }
      }
    } catch (error) {
      logger.error({ error }, 'round of channel balances failed');
    } finally {
      await running.remove('round');
    }
  };

  /** In the background; asking again while it runs changes nothing. */
  const readAll = async (): Promise<Answer> => {
    if (await running.create('round', clock().toISOString())) void runRound();
    return ok();
  };

  /** Which models a channel serves is read off its settings, so there is never anything to mend. */
  const repair = async (): Promise<Answer> => ok(0);

  return {
    'GET /api/channel/update_balance/:id': readOne,
    'GET /api/channel/update_balance': readAll,
    'POST /api/channel/fix': repair,
  };
};
