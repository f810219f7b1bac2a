import type { Fault } from './fault.ts';

/** The relay and its journal, the way over the bus, processes and projections. */
export const transportFaults: readonly Fault[] = [
  {
    name: 'announces-first',
    what: 'a relay hears that its usage is settled before it is',
    shows: ['not-charged'],
    under: { kinds: { crash: 2, 'restart-log': 1, 'empty-bus': 1 }, busForgetsMs: 1_500 },
    patches: [
      {
        file: 'command-api/keeper/usage-intake.ts',
        find: '    const { failedByRelay, unreadable, records } = sorted;\n',
        replace:
          '    const { failedByRelay, unreadable, records } = sorted;\n' +
          '    announce(partition, sorted, new Set());\n',
      },
    ],
  },
  {
    name: 'lets-go-when-taken',
    what: 'a record leaves the journal when the bus has taken it',
    shows: ['not-charged'],
    under: { kinds: { 'empty-bus': 3 }, busForgetsMs: 1_500, smallShare: 0 },
    patches: [
      {
        file: 'relay/settlement/shipping-partition.ts',
        find: '      batch.isTaken = true;\n',
        replace: '      batch.isTaken = true;\n      this.unsettled.settled([batch.number], []);\n',
      },
    ],
  },
  {
    name: 'ships-once',
    what: 'records that the bus does not take are taken for settled',
    shows: ['not-charged'],
    patches: [
      {
        file: 'relay/settlement/shipping-partition.ts',
        find: '        await this.#deps.pause(Math.min(delayMs, maxRetryMs));\n',
        replace:
          '        for (const { batch } of parcels) this.unsettled.settled([batch.number], []);\n' +
          '        return this.#noteTaken(parcels);\n',
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
        find: "  kind !== 'started' && sequence > (settled.get(partitionOf(userId)) ?? 0);",
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
        find: 'const pieces = marks.length === 0 ? bytes : [...marks, ...bytes];',
        replace: 'const pieces = marks;',
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
        find: '    producer.last += 1;\n',
        replace: '    producer.last = 1 + (producer.last % 3);\n',
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
        find: 'if (next === undefined || (next.need > this.free && !next.isGone())) return;',
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
        find: '    await trx.moveCheckpoints(step);\n',
        replace: '',
      },
      {
        file: 'projections/runtime/project.ts',
        find: / {2}const isPlain = .*\n.*\n/,
        replace: '  await rows.moveCheckpoints(step);\n',
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
        find: '    await trx.moveCheckpoints(step);\n',
        replace: '',
      },
      {
        file: 'projections/runtime/project.ts',
        find: / {2}const isPlain = .*\n.*\n/,
        replace: '',
      },
      {
        file: 'projections/runtime/project.ts',
        find: '    await writeOutcomes(trx, outcomes);\n  });\n',
        replace:
          '    await writeOutcomes(trx, outcomes);\n  });\n  await rows.moveCheckpoints(step);\n',
      },
    ],
  },
  {
    name: 'counts-terms-from-answers',
    what: 'a relay counts the term of its leases from the answer of the keeper',
    shows: ['overdrawn', 'admitted-on-expired'],
    under: { kinds: { pause: 2, hold: 4 }, longestAbsenceMs: 40_000, smallShare: 0 },
    patches: [
      {
        file: 'relay/admission/lease-book-keeper.ts',
        find: 'this.#terms.renewed(partition, sentAt);',
        replace: 'this.#terms.renewed(partition, now);',
      },
      {
        file: 'relay/admission/lease-book-keeper.ts',
        find: '    this.#terms.renewed(lease.partition, sentAtMs);',
        replace:
          '    void sentAtMs;\n    this.#terms.renewed(lease.partition, this.#timers.now());',
      },
      {
        file: 'relay/admission/lease-book-keeper.ts',
        find: 'const lapsed = new Set(partitions.filter((each) => this.#terms.hasLapsed(each, now)));',
        replace: 'const lapsed = new Set<number>();',
      },
    ],
  },
  {
    name: 'admits-after-the-term',
    what: 'a relay admits on its leases whatever their term',
    shows: ['overdrawn', 'admitted-on-expired'],
    under: { kinds: { pause: 4, break: 2 }, longestAbsenceMs: 40_000, smallShare: 0 },
    patches: [
      {
        file: 'relay/admission/lease-terms.ts',
        find: 'return nowMs - this.#renewedFor(partition) < this.#termMs - this.#marginMs;',
        replace: 'return nowMs > Number.NEGATIVE_INFINITY && partition >= 0;',
      },
    ],
  },
  {
    name: 'reads-past-checksums',
    what: 'records of a journal are taken whatever their checksums',
    shows: ['wrong-amount', 'not-charged', 'charged-for-nothing', 'verify-finds', 'stalled'],
    under: { kinds: { 'flip-bit': 4, crash: 3 } },
    patches: [
      {
        file: 'relay/settlement/record-frame.ts',
        find: 'return crc32(bytes.subarray(from, to)) === bytes.readUInt32LE(at + 4) ? to : -1;',
        replace: 'return bytes[to] === lineFeed ? to : -1;',
      },
    ],
  },
];
