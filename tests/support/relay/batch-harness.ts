import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import type { Usage } from '../../../domain/pricing/types.ts';
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
  ReportOfTask,
  TaskReported,
} from '../../../domain/task/messages.ts';
import { merged } from '../../../domain/task/report.ts';
import { createStubBatches, type StubBatches } from '../stub-provider/batches.ts';
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
const models = ['gpt-4o-mini', 'gpt-4o'];

export type BatchHarness = Harness &
  Readonly<{
    stub: StubBatches;
    upstream: UpstreamSpy;
    client: OpenAI;
    stranger: OpenAI;
    claude: Anthropic;
    /** Polls all batches at the provider, as the control plane does. */
    poll: () => Promise<void>;
    /** What relays reported of finished batches. */
    settled: (Usage | undefined)[];
    upload: (lines: readonly string[], client?: OpenAI) => Promise<OpenAI.FileObject>;
    order: (fileId: string, client?: OpenAI) => Promise<OpenAI.Batch>;
  }>;

/** The read models, made of what the journal holds and what relays reported. */
export const serveReadModels = async ({ bus, journal }: Harness) => {
  const reports = new Map<string, TaskReport>();
  const removed = new Set<string>();
  const settled: (Usage | undefined)[] = [];
  const all = () =>
    journal.outcomes.flatMap(({ task }) => {
      if (task?.outcome?.kind !== 'accepted') return [];
      const { taskId, userId, action, prompt, properties, submittedAt, platform } = task.facts;
      const { upstreamId, channelId, report: first } = task.outcome;
      const submittedMs = Date.parse(submittedAt);
      const begun = merged(aReport({ properties }), first ?? aReport());
      const report = reports.get(taskId) ?? begun;
      const found = { taskId, upstreamId, userId, channelId, action, prompt, submittedMs, report };
      return removed.has(taskId) ? [] : [{ platform, found }];
    });
  const tasksOf = (platform: string): readonly FoundTask[] =>
    all()
      .filter((one) => one.platform === platform)
      .map(({ found }) => found);
  await bus.serve<FindTasks, FoundTasks>('task.find', async (asked) => {
    const { platform, userId, upstreamIds, taskIds = [] } = asked;
    const isNamed = (task: FoundTask) =>
      taskIds.includes(task.taskId) || upstreamIds.includes(task.upstreamId);
    const own = tasksOf(platform).filter((task) => userId === null || task.userId === userId);
    return { tasks: own.filter(isNamed) };
  });
  await bus.serve<ListTasks, ListedTasks>('task.list', async (asked) => {
    const { platform, userId, action, limit, after, before } = asked;
    const own = tasksOf(platform).filter((task) => task.userId === userId);
    const all = own.filter((task) => task.action === (action ?? task.action)).toReversed();
    const at = all.findIndex(({ taskId }) => taskId === (before ?? after));
    const far = all.slice(before === undefined ? at + 1 : 0, before === undefined ? undefined : at);
    const tasks = before === undefined ? far.slice(0, limit) : far.slice(-limit);
    return { tasks, hasMore: far.length > limit };
  });
  await bus.serve<RemovalOfTask, RemovedTask>('task.remove', async ({ taskId }) => {
    removed.add(taskId);
    return { outcome: 'removed' };
  });
  const take = (taskId: string, news: TaskReport): void => {
    const known = [...tasksOf('batch')].find((task) => task.taskId === taskId);
    reports.set(taskId, merged(known?.report ?? aReport(), news));
  };
  await bus.serve<ReportOfTask, TaskReported>('task.report', async ({ taskId, report, used }) => {
    settled.push(used);
    take(taskId, report);
    return { isKnown: true };
  });
  const poll = async (): Promise<void> => {
    for (const { taskId, upstreamId, channelId } of tasksOf('batch')) {
      const work: PollTasks = {
        channelId,
        platform: 'batch',
        upstreamIds: [upstreamId],
        tasks: [{ taskId, upstreamId }],
      };
      const found = await bus.request<PollTasks, PolledTasks>('relay.poll-tasks', work);
      const news = found.reports?.[0]?.report;
      if (news !== undefined) take(taskId, news);
    }
  };
  return { settled, poll };
};

export const chatLine = (customId: string, body: object = {}, more: object = {}): string =>
  JSON.stringify({
    custom_id: customId,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model: 'gpt-4o-mini',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
      ...body,
    },
    ...more,
  });

/** A relay, a provider of batches that keeps its own rules, and two callers with the real clients. */
export const startBatchHarness = async (): Promise<BatchHarness> => {
  const harness = await startHarness();
  const stub = createStubBatches((key) => /^upstream-key-[123]$/.test(key));
  const upstream = await startUpstream((req, res, body) => {
    const { method = 'GET', url = '/', headers } = req;
    void stub.serve(res, { method, url, headers, body });
  });
  const readModels = await serveReadModels(harness);
  const baseUrl = upstream.url;
  await harness.put.channel(aChannel(1, { type: 1, models, baseUrl }));
  const claudeModels = ['claude-3-5-sonnet-20241022'];
  await harness.put.channel(aChannel(2, { type: 14, models: claudeModels, baseUrl }));
  await harness.put.account(anAccount({ userId: 8 }));
  await harness.put.token(otherKey, aToken({ tokenId: 6, userId: 8 }));
  const site = `http://127.0.0.1:${harness.port}`;
  const baseURL = `${site}/v1`;
  const clientOf = (key: string) => new OpenAI({ apiKey: `sk-${key}`, baseURL, maxRetries: 0 });
  const client = clientOf(rawKey);
  return {
    ...harness,
    ...readModels,
    stub,
    upstream,
    client,
    stranger: clientOf(otherKey),
    claude: new Anthropic({ apiKey: `sk-${rawKey}`, baseURL: site, maxRetries: 0 }),
    upload: async (lines, own = client) => {
      const file = await toFile(Buffer.from(lines.join('\n')), 'work.jsonl');
      return own.files.create({ file, purpose: 'batch' });
    },
    order: (fileId, own = client) =>
      own.batches.create({
        input_file_id: fileId,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      }),
    close: async () => {
      await harness.close();
      upstream.close();
    },
  };
};
