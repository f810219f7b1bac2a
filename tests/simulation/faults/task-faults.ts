import type { Fault } from './fault.ts';

/** Money of tasks: charged when they are taken, given back by how they end. */
export const taskFaults: readonly Fault[] = [
  {
    name: 'decides-on-what-lies-beyond',
    what: 'a refund is decided on more of the log than the account is folded from',
    shows: ['verify-finds', 'overdrawn', 'refused-with-quota'],
    under: { tasks: 1, smallShare: 0 },
    patches: [
      {
        file: 'command-api/keeper/lookup.ts',
        find: 'upTo: BigInt(eventCount - 1)',
        replace: 'upTo: BigInt(eventCount + 1_000)',
      },
    ],
  },
  {
    name: 'keeps-the-money-of-failed-tasks',
    what: 'a task that failed is not refunded',
    shows: ['not-refunded'],
    under: { tasks: 1 },
    patches: [
      {
        file: 'command-api/processes/refund-on-task-failed.ts',
        find: 'if (quota <= 0) return null;',
        replace: 'if (quota <= 1e12) return null;',
      },
    ],
  },
  {
    name: 'settles-for-nothing',
    what: 'a task that used less than was charged gives back all of it',
    shows: ['refunded-too-much'],
    under: { tasks: 1 },
    patches: [
      {
        file: 'domain/task/decider.ts',
        find: 'refund: quota - amount }',
        replace: 'refund: quota }',
      },
    ],
  },
  {
    name: 'leaves-abandoned-tasks-closed',
    what: 'a task of a relay that was taken for dead stays failed when its acceptance comes after all',
    shows: ['not-refunded', 'verify-finds'],
    under: { tasks: 1, kinds: { pause: 4, hold: 3, break: 3, 'empty-bus': 2, crash: 2 } },
    patches: [
      {
        file: 'domain/task/decider.ts',
        find: "(state.status === 'failed' && !state.wasAccepted && state.source !== 'refused');",
        replace: 'false;',
      },
    ],
  },
];
