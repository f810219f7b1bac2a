import type { ChannelCommand } from '../../domain/channel/commands.ts';
import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import { systemMetadata } from '../metadata.ts';
import type { Services } from '../services.ts';
import { askForTest, isTestable, testRecordOf } from './ask-for-test.ts';
import type { createChannelDirectory, KnownChannel } from './directory.ts';

type Directory = ReturnType<typeof createChannelDirectory>;

/** A round that died with its process is over after this long. */
const longestRoundSeconds = 3_600;

/**
 * Tries every channel that is not switched off by hand, one after the other, in the background. A slow
 * one is disabled, one that works again is enabled, as far as the operator wants it.
 */
export const createTestRound = (services: Services, directory: Directory) => {
  const { bus, clock, commands, logger, options } = services;
  const running = bus.keyValue('channel-test', { ttlSeconds: longestRoundSeconds });

  const give = async (wish: Pick<ChannelCommand, 'type' | 'data'>): Promise<void> => {
    const metadata = systemMetadata('channel-test', clock);
    const command = { ...wish, metadata } as ChannelCommand;
    await commands.handle(channelDecider, channelStreamId(wish.data.channelId), command);
  };

  const judge = async (channel: KnownChannel, reply: ChannelTestReply): Promise<void> => {
    const { channelId } = channel;
    const limitMs = (await options.number('ChannelDisableThreshold')) * 1_000;
    const tookMs = Math.round(reply.responseTimeMs);
    const mayDisable = await options.isOn('AutomaticDisableChannelEnabled');
    if (mayDisable && limitMs > 0 && tookMs > limitMs) {
      const reason = `response time ${tookMs} ms is above the limit of ${limitMs} ms`;
      await give({ type: 'AutoDisableChannel', data: { channelId, reason } });
      return;
    }
    if (reply.success && (await options.isOn('AutomaticEnableChannelEnabled'))) {
      await give({ type: 'AutoEnableChannel', data: { channelId } });
    }
  };

  const tryOne = async (channel: KnownChannel): Promise<void> => {
    const { channelId } = channel;
    try {
      const reply = await askForTest(services, channel);
      await give({ type: 'RecordTest', data: testRecordOf(channelId, reply) });
      await judge(channel, reply);
    } catch (error) {
      logger.warn({ channelId, error }, 'channel could not be tested');
    }
  };

  const run = async (): Promise<void> => {
    try {
      for (const channel of await directory.all()) {
        if (channel.status !== 'disabled' && isTestable(channel)) await tryOne(channel);
      }
    } catch (error) {
      logger.error({ error }, 'round of channel tests failed');
    } finally {
      await running.remove('round');
    }
  };

  return {
    /** False: a round is under way. */
    async start(): Promise<boolean> {
      if (!(await running.create('round', clock().toISOString()))) return false;
      void run();
      return true;
    },
  };
};
