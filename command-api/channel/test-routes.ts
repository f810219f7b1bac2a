import { channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { ChannelTestReply } from '../../domain/relay/messages.ts';
import { reject } from '../../domain/shared/decider.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { channelTestApi } from '../contract/channel.ts';
import { ok } from '../http/answer.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { JobRunner } from '../jobs/run-jobs.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import { askForTest, testProblem, testRecordOf } from './ask-for-test.ts';
import type { createChannelDirectory } from './directory.ts';
import { testRoundName } from './test-round.ts';

type Deps = Readonly<{
  bus: Bus;
  jobs: JobRunner;
}>;

type Directory = ReturnType<typeof createChannelDirectory>;

export const createChannelTestRoutes = (
  deps: Deps,
  directory: Directory,
): Handlers<typeof channelTestApi> => {
  const testOne = async (call: CallTo<'GET /api/channel/test/:id'>) => {
    const { id } = call.params;
    const { model } = call.query;
    const channel = await directory.find(id);
    if (!channel) return reject('channel.unknown');
    const problem = testProblem(channel);
    if (problem !== null) return problem;
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

  return {
    'GET /api/channel/test/:id': testOne,
    /** In the background; the caller is notified of its end. */
    'GET /api/channel/test': async ({ caller }) => {
      const started = await deps.jobs.runNow(testRoundName, caller.userId);
      return started === 'started' ? ok() : reject('channel.test-running');
    },
  };
};
