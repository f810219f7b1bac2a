import type { TaskPlatform, TaskReport } from '../../../domain/task/events.ts';
import type {
  FindTasks,
  FoundTask,
  FoundTasks,
  ReportOfTask,
  TaskReported,
} from '../../../domain/task/messages.ts';
import { createStubTasks, type StubTask } from '../stub-provider/tasks.ts';
import { aReport } from '../task-examples.ts';
import {
  aChannel,
  anAccount,
  aToken,
  type Harness,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from './relay-harness.ts';

export const otherKey = 'z'.repeat(48);

export type KnownTask = FoundTask & Readonly<{ platform: TaskPlatform }>;

export type TaskHarness = Harness &
  Readonly<{
    upstream: UpstreamSpy;
    /** What the provider took. */
    taken: readonly StubTask[];
    /** The content of the read models. */
    known: KnownTask[];
    /** What was handed to the write side. */
    reported: ReportOfTask[];
  }>;

export const aKnownTask = (changes: Partial<KnownTask> = {}): KnownTask => ({
  taskId: 'task-1',
  platform: 'mj',
  upstreamId: 'mj-1',
  userId: 7,
  channelId: 1,
  action: 'IMAGINE',
  prompt: 'a gate',
  submittedMs: 1_700_000_000_000,
  report: aReport({ status: 'SUCCESS', progress: '100%' }),
  ...changes,
});

export const isDone = (changes: Partial<TaskReport> = {}): TaskReport =>
  aReport({ status: 'SUCCESS', progress: '100%', ...changes });

const drawingModels = [
  ...['imagine', 'upscale', 'variation', 'high_variation', 'low_variation', 'pan', 'describe'],
  ...['blend', 'uploads', 'shorten', 'reroll', 'inpaint', 'zoom', 'custom_zoom', 'modal'],
].map((name) => `mj_${name}`);

/** A relay, a provider of drawings and music, and read models with the content of the journal. */
export const startTaskHarness = async (): Promise<TaskHarness> => {
  const stub = createStubTasks();
  const upstream = await startUpstream((req, res, body) => {
    const { 'mj-api-secret': own, authorization: usual, host } = req.headers;
    const call = {
      path: (req.url ?? '').split('?')[0] ?? '',
      body: body.toString('utf8'),
      secret: String(own ?? usual ?? ''),
      origin: `http://${host}`,
    };
    void stub.serve(res, call).then((isServed) => {
      if (!isServed) res.writeHead(404).end();
    });
  });
  const harness = await startHarness();
  const known: KnownTask[] = [];
  const reported: ReportOfTask[] = [];
  const journalled = (): KnownTask[] =>
    harness.journal.outcomes.flatMap(({ task }) =>
      task?.outcome?.kind === 'accepted'
        ? [
            aKnownTask({
              taskId: task.facts.taskId,
              platform: task.facts.platform,
              upstreamId: task.outcome.upstreamId,
              channelId: task.outcome.channelId,
              userId: task.facts.userId,
              report: aReport(),
            }),
          ]
        : [],
    );
  await harness.bus.serve<FindTasks, FoundTasks>('task.find', async (asked) => {
    const { platform, userId, upstreamIds, taskIds = [] } = asked;
    const wanted = (task: KnownTask): boolean =>
      task.platform === platform &&
      (userId === null || task.userId === userId) &&
      (taskIds.includes(task.taskId) || upstreamIds.includes(task.upstreamId));
    return { tasks: [...known, ...journalled()].filter(wanted) };
  });
  await harness.bus.serve<ReportOfTask, TaskReported>('task.report', async (report) => {
    reported.push(report);
    return { isKnown: true };
  });
  const models = [...drawingModels, 'swap_face'];
  await harness.put.channel(aChannel(1, { type: 5, models, baseUrl: upstream.url }));
  const music = ['suno_music', 'suno_lyrics'];
  await harness.put.channel(aChannel(2, { type: 36, models: music, baseUrl: upstream.url }));
  await harness.put.account(anAccount({ userId: 8 }));
  await harness.put.token(otherKey, aToken({ tokenId: 6, userId: 8 }));
  return {
    ...harness,
    upstream,
    taken: stub.taken,
    known,
    reported,
    close: async () => {
      await harness.close();
      upstream.close();
    },
  };
};

export const parsed = (text: string): Record<string, unknown> =>
  JSON.parse(text) as Record<string, unknown>;
