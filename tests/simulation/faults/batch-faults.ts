import type { Fault } from './fault.ts';

/** Money of batches: an estimate at their discount, of which what was not used is returned. */
export const batchFaults: readonly Fault[] = [
  {
    name: 'forgets-the-discount',
    what: 'a batch is charged at the price of single calls',
    shows: ['wrong-amount'],
    patches: [
      {
        file: 'domain/pricing/bill-lines.ts',
        find: 'if (batch === undefined) return lines;',
        replace: 'if (batch?.ratio !== undefined) return lines;',
      },
    ],
  },
  {
    name: 'pays-for-failed-requests',
    what: 'requests of a batch that failed are paid like those that were answered',
    shows: ['not-refunded'],
    under: { batches: 1 },
    patches: [
      {
        file: 'relay/tasks/batches/settle-batch.ts',
        find: "    if (found?.kind === 'unpaid') return;\n",
        replace: '',
      },
    ],
  },
  {
    name: 'keeps-the-estimate-of-batches',
    what: 'a batch is reported without what it used',
    shows: ['not-refunded'],
    under: { batches: 1 },
    patches: [
      {
        file: 'relay/tasks/batches/poll-batches.ts',
        find: "...(used === 'gone' ? {} : { used })",
        replace: '',
      },
    ],
  },
  {
    name: 'settles-on-unread-results',
    what: 'a batch is settled when its results could not be fetched',
    shows: ['refunded-too-much'],
    under: { batches: 1 },
    patches: [
      {
        file: 'relay/tasks/batches/settle-batch.ts',
        find: '      download?.body.destroy();\n      return null;\n',
        replace: '      download?.body.destroy();\n      return sum.usage;\n',
      },
    ],
  },
  {
    name: 'refunds-what-is-gone',
    what: 'a batch whose results are gone gives back all of its estimate',
    shows: ['refunded-too-much'],
    under: { batches: 1 },
    patches: [
      {
        file: 'relay/tasks/batches/settle-batch.ts',
        find: "      return 'gone';\n",
        replace: '      return sum.usage;\n',
      },
    ],
  },
];
