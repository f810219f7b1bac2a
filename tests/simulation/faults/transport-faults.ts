import type { Fault } from './fault.ts';

/** The relay and its journal, the way over the bus, processes and projections. */
export const transportFaults: readonly Fault[] = [
  {
    name: 'acknowledges-first',
    what: 'the bus is told that usage is settled before it is',
    shows: ['not-charged'],
    under: { kinds: { crash: 2, 'restart-log': 1 } },
    patches: [
      {
        file: 'infra/bus/nats/nats-partition-reader.ts',
        find: '    const items = batches.flatMap((batch) => batch.items);\n',
        replace:
          '    const items = batches.flatMap((batch) => batch.items);\n' +
          '    for (const { message } of batches) message.ack();\n',
      },
    ],
  },
  {
    name: 'ships-once',
    what: 'records that the bus does not take are taken for shipped',
    shows: ['not-charged'],
    patches: [
      {
        file: 'relay/settlement/shipping-queues.ts',
        find: '        await this.#pause(Math.min(delayMs, maxRetryMs));\n',
        replace: '        return true;\n',
      },
    ],
  },
  {
    name: 'recovers-nothing',
    what: 'the journal of a dead instance is not shipped',
    shows: ['not-charged'],
    under: { kinds: { crash: 2, break: 1 } },
    patches: [
      {
        file: 'relay/settlement/journal-recovery.ts',
        find: "  kind !== 'started' && sequence > (shipped.get(partitionOf(userId)) ?? 0);",
        replace: '  kind === null;',
      },
    ],
  },
  {
    name: 'writes-no-records',
    what: 'the journal holds the marks alone, no records',
    shows: ['not-charged'],
    under: { kinds: { crash: 2, break: 1 } },
    patches: [
      {
        file: 'relay/settlement/journal-segments.ts',
        find: 'this.#write(marks.length === 0 ? bytes : [...marks, ...bytes]);',
        replace: 'this.#write(marks);',
      },
    ],
  },
  {
    name: 'reuses-numbers',
    what: 'numbers of a relay come again',
    shows: ['not-charged', 'stalled'],
    under: { kinds: { crash: 2, reset: 1 } },
    patches: [
      {
        file: 'relay/settlement/journal.ts',
        find: '    this.#sequence += 1;\n',
        replace: '    this.#sequence = 1 + (this.#sequence % 3);\n',
      },
    ],
  },
  {
    name: 'forgets-what-is-spent',
    what: 'a relay does not count what its calls have cost',
    shows: ['overdrawn'],
    patches: [
      {
        file: 'relay/admission/lease-book-lease.ts',
        find: '    this.spent += amount;\n',
        replace: '',
      },
    ],
  },
  {
    name: 'admits-beyond-its-lease',
    what: 'a call that waits is admitted whatever its relay holds',
    shows: ['overdrawn'],
    patches: [
      {
        file: 'relay/admission/lease-book-lease.ts',
        find: 'if (next === undefined || next.need > this.free) return;',
        replace: 'if (next === undefined) return;',
      },
    ],
  },
  {
    name: 'gives-up-reactions',
    what: 'a process manager goes on after a failed reaction',
    shows: ['credit-lost'],
    under: { kinds: { 'top-up': 3, 'fill-log': 2 }, longestAbsenceMs: 6_000 },
    patches: [
      {
        file: 'command-api/processes/worker.ts',
        find: '      if (attempt === patience) onProgress();\n      return false;\n',
        replace: '      return true;\n',
      },
    ],
  },
  {
    name: 'moves-checkpoints-first',
    what: 'a projection moves its checkpoint before it writes the rows',
    shows: ['verify-finds', 'stalled'],
    under: { projections: 1, kinds: { crash: 1, break: 1, reset: 1 } },
    patches: [
      {
        file: 'projections/runtime/project.ts',
        find: '    await moveCheckpoint(trx, step);\n    return',
        replace: '    return',
      },
      {
        file: 'projections/runtime/project.ts',
        find: '  db.transaction().execute(async (trx) => {',
        replace:
          '  db.transaction().execute((trx) => moveCheckpoint(trx, step)).then(() => db.transaction().execute(async (trx) => {',
      },
      {
        file: 'projections/runtime/project.ts',
        find: '{ db: trx, ...place });\n  });',
        replace: '{ db: trx, ...place });\n  }));',
      },
    ],
  },
  {
    name: 'moves-checkpoints-last',
    what: 'a projection writes rows before it moves its checkpoint',
    shows: ['verify-finds', 'stalled'],
    under: { projections: 1, kinds: { crash: 1, break: 1, reset: 1 } },
    patches: [
      {
        file: 'projections/runtime/project.ts',
        find: '    await moveCheckpoint(trx, step);\n    return',
        replace: '    return',
      },
      {
        file: 'projections/runtime/project.ts',
        find: '{ db: trx, ...place });\n  });',
        replace:
          '{ db: trx, ...place });\n  }).then((changes) => db.transaction().execute((trx) => moveCheckpoint(trx, step)).then(() => changes));',
      },
    ],
  },
];
