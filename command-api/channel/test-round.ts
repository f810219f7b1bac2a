import type { ChannelCommand } from '../../domain/channel/commands.ts';
import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Ids } from '../identity/ids.ts';
import type { Job, JobRun } from '../jobs/job.ts';
import type { Notices } from '../notices/create-notices.ts';
import { testRoundNotice } from '../notices/notice.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { systemMetadata } from '../shared/metadata.ts';
import { askForTest, testProblem, testRecordOf } from './ask-for-test.ts';
import { createChannelDirectory, type KnownChannel } from './directory.ts';
import { pauseBetween, type RoundSchedule } from './round-schedule.ts';

type Deps = Readonly<{
  bus: Bus;
  clock: Clock;
  logger: Logger;
  commands: CommandHandler;
  ids: Ids;
  options: SiteOptions;
  notices: Notices;
}>;

/** Characters of a provider's error that are kept as the reason. */
const maxReason = 1_000;

/** Names the job whose run is a round. */
export const testRoundName = 'channel-test';

/**
 * Tests every channel that is not switched off manually, one after the other, in the background.
 * One that fails for good or is slow is disabled, one that works again is enabled, as far as the
 * operator configured it.
 */
export const testChannels = (deps: Deps, schedule: RoundSchedule): Job => {
  const { clock, commands, logger, notices, options } = deps;
  const directory = createChannelDirectory(deps);

  const give = async (payload: Pick<ChannelCommand, 'type' | 'data'>): Promise<void> => {
    const metadata = systemMetadata('channel-test', clock);
    const command = { ...payload, metadata } as ChannelCommand;
    await commands.handle(channelDecider, channelStreamId(payload.data.channelId), command);
  };

  const judge = async (channel: KnownChannel, reply: ChannelTestReply): Promise<void> => {
    const { channelId } = channel;
    const limitMs = (await options.number('ChannelDisableThreshold')) * 1_000;
    const tookMs = Math.round(reply.responseTimeMs);
    const mayDisable = await options.isOn('AutomaticDisableChannelEnabled');
    if (mayDisable && reply.isFailing === true) {
      const reason = reply.message.slice(0, maxReason);
      await give({ type: 'AutoDisableChannel', data: { channelId, reason } });
      return;
    }
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
      const reply = await askForTest(deps, channel);
      await give({ type: 'RecordTest', data: testRecordOf(channelId, reply) });
      await judge(channel, reply);
      return reply.success;
    } catch (error) {
      logger.warn({ channelId, error }, 'channel could not be tested');
      return false;
    }
  };

  /** Receiver of the notice that a requested round has ended. */
  const tellOperator = async (tested: number, { runId }: JobRun): Promise<void> => {
    const site = await options.state();
    if (site.status !== 'initialised') return;
    notices.send(testRoundNotice({ to: site.rootUserId, tested }), runId);
  };

  const tryAll = async (signal: AbortSignal) => {
    const all = await directory.all();
    const meant = all.filter((one) => one.status !== 'disabled' && testProblem(one) === null);
    const figures = { tested: 0, failed: 0 };
    for (const channel of meant) {
      if (signal.aborted) break;
      if (figures.tested > 0) await pauseBetween(schedule, signal);
      figures.tested += 1;
      if (!(await tryOne(channel))) figures.failed += 1;
    }
    return figures;
  };

  return {
    name: testRoundName,
    everyMs: async () => schedule.everyMs,
    run: async (run) => {
      const figures = await tryAll(run.signal);
      if (run.isByHand) await tellOperator(figures.tested, run);
      return figures.tested === 0 ? {} : figures;
    },
  };
};
