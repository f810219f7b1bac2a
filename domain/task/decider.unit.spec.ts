import { expect, test } from 'vitest';
import { deciderSpec, fold } from '../../tests/support/decider-spec.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import {
  aGiveUpTask,
  anAcceptTask,
  aReport,
  aReportTask,
  aSubmitTask,
  aTaskAccepted,
  aTaskFailed,
  aTaskSubmitted,
  taskId,
} from '../../tests/support/task-examples.ts';
import type { Quote, Usage } from '../pricing/types.ts';
import type { AbandonTask, RefuseTask, RemoveTask } from './commands.ts';
import { taskDecider } from './decider.ts';
import type { TaskEvent } from './events.ts';

const given = deciderSpec(taskDecider);
const refuse: RefuseTask = {
  type: 'RefuseTask',
  data: { taskId, code: 24, reason: 'banned prompt' },
  metadata: aMetadata(),
};
const abandon: AbandonTask = {
  type: 'AbandonTask',
  data: { taskId, reason: 'the relay died' },
  metadata: aMetadata(),
};
const abandoned = aTaskFailed({
  source: 'abandoned',
  reason: 'the relay died',
  quota: 0,
  report: null,
});
const done = { status: 'SUCCESS', progress: '100%', imageUrl: 'https://example.com/1.png' };

test('a task is submitted once', () => {
  given().when(aSubmitTask()).thenEvents(aTaskSubmitted());
  given(aTaskSubmitted()).when(aSubmitTask()).thenEvents();
});

test('a provider takes a task once, whatever is repeated', () => {
  given(aTaskSubmitted()).when(anAcceptTask()).thenEvents(aTaskAccepted());
  given(aTaskSubmitted(), aTaskAccepted()).when(anAcceptTask()).thenEvents();
});

test('a drawing that exists already ends with its acceptance', () => {
  given(aTaskSubmitted())
    .when(anAcceptTask({ code: 21 }, aReport(done)))
    .thenEvents(aTaskAccepted({ code: 21 }), {
      type: 'TaskSucceeded',
      data: { taskId, userId: 42, report: aReport(done) },
    });
});

test('a task that was not submitted does not exist', () =>
  given().when(aReportTask()).thenRejected('task.unknown'));

test('a refused task cost nothing, so nothing goes back', () =>
  given(aTaskSubmitted())
    .when(refuse)
    .thenEvents(
      aTaskFailed({
        source: 'refused',
        code: 24,
        reason: 'banned prompt',
        quota: 0,
        report: null,
      }),
    ));

test('a report without news changes nothing', () => {
  const progressed: TaskEvent = {
    type: 'TaskProgressed',
    data: { taskId, userId: 42, report: aReport({ status: 'IN_PROGRESS', progress: '37%' }) },
  };
  const running = [aTaskSubmitted(), aTaskAccepted()];
  const say = aReportTask({ status: 'IN_PROGRESS', progress: '37%' });
  given(...running)
    .when(say)
    .thenEvents(progressed);
  given(...running, progressed)
    .when(say)
    .thenEvents();
});

test('what a provider leaves out does not wipe out what it reported before', () => {
  const progressed: TaskEvent = {
    type: 'TaskProgressed',
    data: {
      taskId,
      userId: 42,
      report: aReport({ status: 'IN_PROGRESS', startTime: 5, promptEn: 'a gate' }),
    },
  };
  given(aTaskSubmitted(), aTaskAccepted(), progressed)
    .when(aReportTask(done))
    .thenEvents({
      type: 'TaskSucceeded',
      data: { taskId, userId: 42, report: aReport({ ...done, startTime: 5, promptEn: 'a gate' }) },
    });
});

test.each([
  ['a status of failure', { status: 'FAILURE', progress: '100%', failReason: 'the brush broke' }],
  ['a reason before the end', { progress: '37%', failReason: 'the brush broke' }],
])('%s gives back what was charged', (_, reported) =>
  given(aTaskSubmitted(), aTaskAccepted()).when(aReportTask(reported)).thenEvents(aTaskFailed()),
);

test('a task fails once: neither a second failure nor a late success changes that', () => {
  const failed = [aTaskSubmitted(), aTaskAccepted(), aTaskFailed()];
  given(...failed)
    .when(aReportTask({ status: 'FAILURE', failReason: 'again' }))
    .thenEvents();
  given(...failed)
    .when(aReportTask(done))
    .thenEvents();
  given(...failed)
    .when(aGiveUpTask())
    .thenEvents();
  given(...failed)
    .when(anAcceptTask())
    .thenEvents();
});

test('a finished task stays finished', () => {
  const succeeded: TaskEvent = {
    type: 'TaskSucceeded',
    data: { taskId, userId: 42, report: aReport(done) },
  };
  const events = [aTaskSubmitted(), aTaskAccepted(), succeeded];
  given(...events)
    .when(aReportTask({ status: 'FAILURE', failReason: 'no' }))
    .thenEvents();
  given(...events)
    .when(aGiveUpTask('channel-gone'))
    .thenEvents();
});

test('a task that is never reported again is given up, and its price is returned', () =>
  given(aTaskSubmitted(), aTaskAccepted())
    .when(aGiveUpTask())
    .thenEvents(
      aTaskFailed({
        source: 'timeout',
        reason: 'too long',
        report: aReport({ status: 'FAILURE', progress: '100%', failReason: 'too long' }),
      }),
    ));

test('a relay that dies before the answer leaves a failed task that cost nothing', () => {
  given(aTaskSubmitted()).when(abandon).thenEvents(abandoned);
  given(aTaskSubmitted(), aTaskAccepted()).when(abandon).thenEvents();
});

test('a relay that was taken for dead is accepted when it reports, and its task can fail once', () => {
  given(aTaskSubmitted(), abandoned).when(anAcceptTask()).thenEvents(aTaskAccepted());
  given(aTaskSubmitted(), abandoned, aTaskAccepted())
    .when(aReportTask({ status: 'FAILURE', progress: '100%', failReason: 'the brush broke' }))
    .thenEvents(aTaskFailed());
});

test('a refused task stays refused', () => {
  const refused = aTaskFailed({ source: 'refused', quota: 0, report: null });
  given(aTaskSubmitted(), refused).when(anAcceptTask()).thenEvents();
});

test('the state after a story equals the fold of its events', () => {
  const story = [aTaskSubmitted(), abandoned, aTaskAccepted(), aTaskFailed()];
  expect(fold(taskDecider, story)).toMatchObject({ status: 'failed', wasAccepted: true });
});

const remove: RemoveTask = { type: 'RemoveTask', data: { taskId }, metadata: aMetadata() };
const removed: TaskEvent = { type: 'TaskRemoved', data: { taskId, userId: 42 } };
const succeeded: TaskEvent = {
  type: 'TaskSucceeded',
  data: { taskId, userId: 42, report: aReport(done) },
};

test('a task that has ended is removed once, whatever was reported of it later', () => {
  const ended = [aTaskSubmitted(), aTaskAccepted(), succeeded] as const;
  given(...ended)
    .when(remove)
    .thenEvents(removed);
  given(...ended, removed)
    .when(remove)
    .thenEvents();
  given(...ended, removed)
    .when(aReportTask(done))
    .thenEvents();
  given(aTaskSubmitted(), aTaskAccepted(), aTaskFailed()).when(remove).thenEvents(removed);
  given(aTaskSubmitted(), aTaskAccepted(), aTaskFailed(), removed).when(aGiveUpTask()).thenEvents();
});

test('a running task is not removed, nor one that a late report may reopen', () => {
  given().when(remove).thenRejected('task.unknown');
  given(aTaskSubmitted()).when(remove).thenRejected('task.unfinished');
  given(aTaskSubmitted(), aTaskAccepted()).when(remove).thenRejected('task.unfinished');
  given(aTaskSubmitted(), abandoned).when(remove).thenRejected('task.unfinished');
});

const priced: Quote = {
  kind: 'price',
  model: 'own-model',
  modelPrice: '0.001',
  groupRatio: '1',
  quotaPerUnit: 500_000,
  batch: { ratio: '0.5' },
};
const noTokens = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheCreationTokens: 0,
};
const answered = (batchRequests: number): Usage => ({ ...noTokens, batchRequests });
/** 10 requests at 0.001 USD, halved. */
const estimated = aTaskAccepted({ quota: 2_500, quote: priced });
const ended = (used?: Usage) => ({
  ...aReportTask(done),
  data: { taskId, report: aReport(done), ...(used === undefined ? {} : { used }) },
});
const settled = (used: Usage, amount: number): TaskEvent => ({
  type: 'TaskSettled',
  data: { taskId, userId: 42, usage: used, amount, refund: 2_500 - amount },
});

test.each([
  ['less than its estimate', 4, 1_000],
  ['nothing', 0, 0],
  ['as much as its estimate', 10, 2_500],
  ['more than its estimate', 1_000, 2_500],
])('a batch that used %s is settled once, and never above its charge', (_, count, amount) => {
  const events = [succeeded, settled(answered(count), amount)];
  given(aTaskSubmitted(), estimated)
    .when(ended(answered(count)))
    .thenEvents(...events);
  given(aTaskSubmitted(), estimated, ...events)
    .when(ended(answered(1)))
    .thenEvents();
  given(aTaskSubmitted(), estimated, ...events)
    .when(aGiveUpTask())
    .thenEvents();
});

test('a batch whose results are gone keeps its estimate, and work with a fixed price has no settlement', () => {
  given(aTaskSubmitted(), estimated).when(ended()).thenEvents(succeeded);
  given(aTaskSubmitted(), aTaskAccepted())
    .when(ended(answered(1)))
    .thenEvents(succeeded);
});
