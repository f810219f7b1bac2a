import { describe, expect, test } from 'vitest';
import { refundOnTaskFailed } from '../../command-api/processes/refund-on-task-failed.ts';
import { refundOnTaskSettled } from '../../command-api/processes/refund-on-task-settled.ts';
import { type BillingGroup, billingGroups } from '../../tests/support/billing-cases.ts';
import { noUsage, quoteOf } from '../../tests/support/billing-quotes.ts';
import { type Fraction, f, rounded, times } from '../../tests/support/fractions.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { type TaskBillingCase, taskBillingCases } from '../../tests/support/task-billing-cases.ts';
import { anAcceptTask, aReport, aSubmitTask, taskId } from '../../tests/support/task-examples.ts';
import { price } from '../pricing/price.ts';
import type { Event, Recorded } from '../shared/event.ts';
import type { ReportTask, TaskCommand } from './commands.ts';
import { taskDecider } from './decider.ts';
import type { TaskEvent } from './events.ts';

const endOf = ({ end }: TaskBillingCase): ReportTask => {
  const status = end.kind === 'failed' ? 'FAILURE' : 'SUCCESS';
  const used = end.kind === 'done' && end.usage ? { used: { ...noUsage, ...end.usage } } : {};
  const report = aReport({ status, progress: '100%', failReason: '' });
  return { type: 'ReportTask', data: { taskId, report, ...used }, metadata: aMetadata() };
};

const recorded = <E extends Event>(event: E): Recorded<E> => ({
  event,
  eventId: 'event-1',
  streamId: 'task-1',
  revision: 0n,
  position: 10n,
  metadata: aMetadata(),
});

/** What an event has given back. */
const refundOf = (event: TaskEvent): number => {
  if (event.type === 'TaskFailed') return refundOnTaskFailed(recorded(event))?.data.amount ?? 0;
  if (event.type === 'TaskSettled') return refundOnTaskSettled(recorded(event))?.data.amount ?? 0;
  return 0;
};

/** A task from its order to its end, which is reported three times. */
const run = (own: TaskBillingCase, group: BillingGroup) => {
  const quote = quoteOf(own, group);
  const charged = price({ ...noUsage, ...own.usage }, quote);
  // A video is paid by its request, so its acceptance carries no quote to settle it by.
  const acceptance = own.platform === 'batch' ? { quota: charged, quote } : { quota: charged };
  const commands: readonly TaskCommand[] = [
    aSubmitTask({ platform: own.platform }),
    anAcceptTask({ platform: own.platform, ...acceptance }),
    endOf(own),
    endOf(own),
    endOf({ ...own, end: { kind: 'failed' } }),
  ];
  let state = taskDecider.initialState;
  let refunded = 0;
  const amounts: number[] = [];
  for (const command of commands) {
    const decision = taskDecider.decide(command, state);
    if (decision.kind !== 'accepted') throw new Error(`${command.type} was refused`);
    for (const event of decision.events) {
      refunded += refundOf(event);
      if (event.type === 'TaskSettled') amounts.push(event.data.amount);
      state = taskDecider.evolve(state, event);
    }
  }
  return { charged, refunded, amounts };
};

/** Quota units that are due in a group; the cases are far above the least charge of one unit. */
const inGroup = (due: Fraction, group: BillingGroup): number =>
  rounded(times(due, f(billingGroups[group])));

const rows = taskBillingCases.flatMap((own) =>
  (Object.keys(billingGroups) as BillingGroup[]).map((group) => ({ kind: own.kind, group, own })),
);

describe('the billing table of tasks', () => {
  test.each(rows)('$kind, in group $group: charged, and given back once', ({ own, group }) => {
    const { charged, refunded, amounts } = run(own, group);
    expect(charged).toBe(inGroup(own.charged, group));
    const stays = inGroup(own.stays, group);
    expect(charged - refunded).toBe(stays);
    const isSettled = own.platform === 'batch' && own.end.kind === 'done' && own.end.usage;
    expect(amounts).toEqual(isSettled ? [stays] : []);
  });

  test('has videos, batches and caches that stay whole, stay in part and are given back', () => {
    const ends = taskBillingCases.map(({ platform, charged, stays }) => {
      const [all, rest] = [rounded(charged), rounded(stays)];
      return `${platform} ${rest === 0 ? 'none' : rest === all ? 'whole' : 'part'}`;
    });
    expect([...new Set(ends)].sort()).toEqual([
      ...['batch none', 'batch part', 'batch whole', 'cache whole', 'video none', 'video whole'],
    ]);
  });
});
