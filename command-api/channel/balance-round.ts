import type { ChannelCommand } from '../../domain/channel/commands.ts';
import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { Job } from '../jobs/job.ts';
import { systemMetadata } from '../metadata.ts';
import type { Services } from '../services.ts';
import { askForBalance } from './ask-for-account.ts';
import { createChannelDirectory, type KnownChannel } from './directory.ts';
import { pauseBetween, type RoundPace } from './round-pace.ts';

/** Names the job whose run is a round. */
export const balanceRoundName = 'channel-balance';

/** Reads what is left at the provider of every enabled channel that tells it. */
export const readBalances = (services: Services, pace: RoundPace): Job => {
  const { clock, commands, logger } = services;
  const directory = createChannelDirectory(services);

  const give = async (wish: Pick<ChannelCommand, 'type' | 'data'>): Promise<void> => {
    const command = { ...wish, metadata: systemMetadata('channel-balance', clock) };
    const streamId = channelStreamId(wish.data.channelId);
    await commands.handle(channelDecider, streamId, command as ChannelCommand);
  };

  /** One that has nothing left is disabled, where its operator lets the gateway do so. */
  const refresh = async (channel: KnownChannel): Promise<'read' | 'failed' | 'mute'> => {
    const { channelId } = channel;
    const said = await askForBalance(services, channel);
    if (said.kind === 'unsupported') return 'mute';
    if (said.kind !== 'balance') return 'failed';
    const { balance } = said;
    await give({ type: 'RecordBalance', data: { channelId, balance } });
    if (Number(balance) <= 0) {
      const reason = 'insufficient balance';
      await give({ type: 'AutoDisableChannel', data: { channelId, reason } });
    }
    return 'read';
  };

  const refreshQuietly = async (channel: KnownChannel): Promise<'read' | 'failed' | 'mute'> => {
    try {
      return await refresh(channel);
    } catch (error) {
      logger.warn({ channelId: channel.channelId, error }, 'balance could not be read');
      return 'failed';
    }
  };

  return {
    name: balanceRoundName,
    everyMs: async () => pace.everyMs,
    run: async ({ signal }) => {
      const figures = { read: 0, failed: 0 };
      const enabled = (await directory.all()).filter(({ status }) => status === 'enabled');
      for (const channel of enabled) {
        if (signal.aborted) break;
        const outcome = await refreshQuietly(channel);
        if (outcome === 'mute') continue;
        figures[outcome] += 1;
        await pauseBetween(pace, signal);
      }
      return figures.read + figures.failed === 0 ? {} : figures;
    },
  };
};
