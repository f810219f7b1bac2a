import type { ChannelCommand } from '../../domain/channel/commands.ts';
import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import type { Job, JobRun } from '../jobs/job.ts';
import { systemMetadata } from '../metadata.ts';
import { testRoundNotice } from '../notices/notice.ts';
import type { Services } from '../services.ts';
import { askForTest, isTestable, testRecordOf } from './ask-for-test.ts';
import { createChannelDirectory, type KnownChannel } from './directory.ts';
import { pauseBetween, type RoundPace } from './round-pace.ts';

/** Names the job whose run is a round. */
export const testRoundName = 'channel-test';

/**
 * Tries every channel that is not switched off by hand, one after the other, in the background. A slow
 * one is disabled, one that works again is enabled, as far as the operator wants it.
 */
export const testChannels = (services: Services, pace: RoundPace): Job => {
  const { clock, commands, logger, notices, options } = services;
  const directory = createChannelDirectory(services);

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

  const tryOne = async (channel: KnownChannel): Promise<boolean> => {
    const { channelId } = channel;
    try {
      const reply = await askForTest(services, channel);
      await give({ type: 'RecordTest', data: testRecordOf(channelId, reply) });
      await judge(channel, reply);
      return reply.success;
    } catch (error) {
      logger.warn({ channelId, error }, 'channel could not be tested');
      return false;
    }
  };

  /** Who asked for a round is told of its end. */
  const tellOperator = async (tested: number, { runId }: JobRun): Promise<void> => {
    const site = await options.state();
    if (site.status !== 'initialised') return;
    notices.send(testRoundNotice({ to: site.rootUserId, tested }), runId);
  };

  const tryAll = async (signal: AbortSignal) => {
    const all = await directory.all();
    const meant = all.filter((one) => one.status !== 'disabled' && isTestable(one));
    const figures = { tested: 0, failed: 0 };
    for (const channel of meant) {
      if (signal.aborted) break;
      if (figures.tested > 0) await pauseBetween(pace, signal);
      figures.tested += 1;
      if (!(await tryOne(channel))) figures.failed += 1;
    }
    return figures;
  };

  return {
    name: testRoundName,
    everyMs: async () => pace.everyMs,
    run: async (run) => {
      const figures = await tryAll(run.signal);
      if (run.isByHand) await tellOperator(figures.tested, run);
      return figures.tested === 0 ? {} : figures;
    },
  };
};
