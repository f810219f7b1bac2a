import type { IncomingMessage, ServerResponse } from 'node:http';
import OpenAI from 'openai';
import type { TaskReport } from '../../../domain/task/events.ts';
import type {
  FindTasks,
  FoundTask,
  FoundTasks,
  ListedTasks,
  ListTasks,
  PolledTasks,
  PollTasks,
  RemovalOfTask,
  RemovedTask,
} from '../../../domain/task/messages.ts';
import { merged } from '../../../domain/task/report.ts';
import type { VideoHost } from '../stub-provider/video-hosts.ts';
import { createStubVideos, type StubVideos } from '../stub-provider/videos.ts';
import { aReport } from '../task-examples.ts';
import {
  aChannel,
  anAccount,
  aToken,
  type Harness,
  rawKey,
  startHarness,
  startUpstream,
  type UpstreamSpy,
} from './relay-harness.ts';

const otherKey = 'z'.repeat(48);
export const soraChannel = 1;

/** Takes a call out of the hands of the stub; false: the stub answers. */
type Instead = (req: IncomingMessage, res: ServerResponse) => boolean;

export type VideoHarness = Harness &
  Readonly<{
    stub: StubVideos;
    upstream: UpstreamSpy;
    client: OpenAI;
    stranger: OpenAI;
    /** Polls all videos at the providers, as the control plane does. */
    poll: () => Promise<void>;
    /** Of the tasks that a provider accepted, as the read models have them. */
    tasks: () => readonly FoundTask[];
    instead: { of: Instead };
  }>;

/** The read models, made of what the journal holds and what polls brought. */
const serveReadModels = async ({ bus, journal }: Harness) => {
  const reports = new Map<string, TaskReport>();
  const removed = new Set<string>();
  const tasks = (): readonly FoundTask[] =>
    journal.outcomes.flatMap(({ task }) => {
      if (task?.outcome?.kind !== 'accepted') return [];
      const { taskId, userId, action, prompt, properties, submittedAt } = task.facts;
      const { upstreamId, channelId } = task.outcome;
      const submittedMs = Date.parse(submittedAt);
      const report = reports.get(taskId) ?? aReport({ properties });
      const found = { taskId, upstreamId, userId, channelId, action, prompt, submittedMs, report };
      return removed.has(taskId) ? [] : [found];
    });
  await bus.serve<FindTasks, FoundTasks>('task.find', async ({ userId, taskIds = [] }) => ({
    tasks: tasks().filter(
      (task) => taskIds.includes(task.taskId) && (userId === null || task.userId === userId),
    ),
  }));
  await bus.serve<ListTasks, ListedTasks>('task.list', async ({ userId, limit, after, order }) => {
    const own = tasks().filter((task) => task.userId === userId);
    const sorted = order === 'asc' ? own : own.toReversed();
    const from = after === null ? 0 : sorted.findIndex(({ taskId }) => taskId === after) + 1;
    return { tasks: sorted.slice(from, from + limit), hasMore: sorted.length > from + limit };
  });
  await bus.serve<RemovalOfTask, RemovedTask>('task.remove', async ({ taskId }) => {
    removed.add(taskId);
    return { outcome: 'removed' };
  });
  const poll = async (): Promise<void> => {
    for (const { taskId, upstreamId, channelId, report } of tasks()) {
      const work: PollTasks = {
        channelId,
        platform: 'video',
        upstreamIds: [upstreamId],
        tasks: [{ taskId, upstreamId }],
      };
      const found = await bus.request<PollTasks, PolledTasks>('relay.poll-tasks', work);
      const news = found.reports?.[0]?.report;
      if (news !== undefined) reports.set(taskId, merged(report, news));
    }
  };
  return { tasks, poll };
};

/** A server that plays a provider of videos. */
export const startHost = (host: VideoHost): Promise<UpstreamSpy> =>
  startUpstream((req, res, body) => {
    const { method = 'GET', url = '/', headers } = req;
    const [path = '', query] = url.split('?');
    host.serve(res, {
      method,
      path,
      query: query === undefined ? '' : `?${query}`,
      authorization: String(headers.authorization ?? ''),
      headers,
      body,
      origin: `http://${headers.host}`,
    });
  });

/** A relay, a provider of videos that keeps its own rules, and two callers with the real client. */
export const startVideoHarness = async (): Promise<VideoHarness> => {
  const harness = await startHarness();
  const stub = createStubVideos((key) => key === `upstream-key-${soraChannel}`);
  const instead: { of: Instead } = { of: () => false };
  const upstream = await startUpstream((req, res, body) => {
    if (instead.of(req, res)) return;
    const { method = 'GET', url = '/', headers } = req;
    void stub.serve(res, { method, url, headers, body });
  });
  const readModels = await serveReadModels(harness);
  const models = ['sora-2', 'sora-2-pro'];
  const sora = aChannel(soraChannel, { type: 55, models, baseUrl: upstream.url });
  await harness.put.channel(sora);
  await harness.put.account(anAccount({ userId: 8 }));
  await harness.put.token(otherKey, aToken({ tokenId: 6, userId: 8 }));
  const baseURL = `http://127.0.0.1:${harness.port}/v1`;
  const clientOf = (key: string) => new OpenAI({ apiKey: `sk-${key}`, baseURL, maxRetries: 0 });
  return {
    ...harness,
    ...readModels,
    stub,
    upstream,
    instead,
    client: clientOf(rawKey),
    stranger: clientOf(otherKey),
    close: async () => {
      await harness.close();
      upstream.close();
    },
  };
};
