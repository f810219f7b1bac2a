import type { ChannelCommand } from '../../domain/channel/commands.ts';
import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Ids } from '../identity/ids.ts';
import type { Job } from '../jobs/job.ts';
import { systemMetadata } from '../shared/metadata.ts';
import { askForBalance } from './ask-for-account.ts';
import { createChannelDirectory, type KnownChannel } from './directory.ts';
import { pauseBetween, type RoundSchedule } from './round-schedule.ts';

type Deps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  logger: Logger;
  commands: CommandHandler;
  ids: Ids;
}>;

/** Names the job whose run is a round. */
export const balanceRoundName = 'channel-balance';

/** Reads the remaining balance of every enabled channel whose provider reports it. */
export const readBalances = (deps: Deps, schedule: RoundSchedule): Job => {
  const { clock, commands, logger } = deps;
  const directory = createChannelDirectory(deps);

  const give = async (payload: Pick<ChannelCommand, 'type' | 'data'>): Promise<void> => {
    const command = { ...payload, metadata: systemMetadata('channel-balance', clock) };
    const streamId = channelStreamId(payload.data.channelId);
    await commands.handle(channelDecider, streamId, command as ChannelCommand);
  };

  /** One that has nothing left is disabled, where its operator lets the gateway do so. */
  const refresh = async (channel: KnownChannel): Promise<'read' | 'failed' | 'mute'> => {
    const { channelId } = channel;
    const reply = await askForBalance(deps, channel);
    if (reply.kind === 'unsupported') return 'mute';
    if (reply.kind !== 'balance') return 'failed';
    const { balance } = reply;
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
    everyMs: async () => schedule.everyMs,
    run: async ({ signal }) => {
      const figures = { read: 0, failed: 0 };
      const enabled = (await directory.all()).filter(({ status }) => status === 'enabled');
      for (const channel of enabled) {
        if (signal.aborted) break;
        const outcome = await refreshQuietly(channel);
        if (outcome === 'mute') continue;
        figures[outcome] += 1;
        await pauseBetween(schedule, signal);
      }
      return figures.read + figures.failed === 0 ? {} : figures;
    },
  };
};
