import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { testQuery } from '../contract/channel.ts';
import { idInPath } from '../contract/fields.ts';
import { type Answer, ok } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { Routes } from '../http/routes.ts';
import type { JobRunner } from '../jobs/run-jobs.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import { askForTest, isTestable, testRecordOf } from './ask-for-test.ts';
import type { createChannelDirectory } from './directory.ts';
import { testRoundName } from './test-round.ts';

type Deps = Readonly<{
  bus: Bus;
  jobs: JobRunner;
}>;

type Directory = ReturnType<typeof createChannelDirectory>;

export const createChannelTestRoutes = (deps: Deps, directory: Directory): Routes => {
  const testOne = async (call: Call): Promise<Answer> => {
    const { id } = call.params(idInPath);
    const { model } = call.query(testQuery);
    const channel = await directory.find(id);
    if (!channel) return reject('channel.unknown');
    if (!isTestable(channel)) return reject('channel.test-unsupported');
    let reply: ChannelTestReply;
    try {
      reply = await askForTest(deps, channel, model);
    } catch (error) {
      if (isBusUnavailable(error)) return reject('channel.no-relay');
      throw error;
    }
    const recorded = await call.perform(channelDecider, channelStreamId(id), {
      type: 'RecordTest',
      data: testRecordOf(id, reply),
    });
    if (recorded.kind === 'rejected') return recorded;
    const { success, message, responseTimeMs } = reply;
    return ok(undefined, { success, message, time: responseTimeMs / 1_000 });
  };

  /** In the background; the caller is notified of its end. */
  const testAll = async (call: Call): Promise<Answer> => {
    const started = await deps.jobs.runNow(testRoundName, call.caller.userId);
    return started === 'started' ? ok() : reject('channel.test-running');
  };

  return { 'GET /api/channel/test/:id': testOne, 'GET /api/channel/test': testAll };
};
