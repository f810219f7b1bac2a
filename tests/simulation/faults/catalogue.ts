import { bundle } from '../campaign/bundle.ts';
import type { ViolationKind } from '../oracle/violations.ts';
import type { Patch } from './patch.ts';

/** A fault that is planted in a bundle of the product, to see that the simulator finds it. */
export type Fault = Readonly<{
  name: string;
  what: string;
  patches: readonly Patch[];
  /** What it has to show as, at least one of these. */
  shows: readonly ViolationKind[];
}>;

export const faults: readonly Fault[] = [
  {
    name: 'rounds-down',
    what: 'a charge is rounded down',
    shows: ['wrong-amount'],
    patches: [
      {
        file: 'domain/pricing/price.ts',
        find: '(rest * 2 >= small.denominator ? 1 : 0)',
        replace: '0',
      },
    ],
  },
  {
    name: 'acknowledges-first',
    what: 'the bus is told that usage is settled before it is',
    shows: ['not-charged'],
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
    name: 'charges-repeats',
    what: 'a record that comes again is charged again',
    shows: ['charged-twice'],
    patches: [
      {
        file: 'domain/account/state.ts',
        find: "  if (recentOutcome(state, requestId) === 'charged') return 'settled';\n",
        replace: '',
      },
      {
        file: 'domain/account/state.ts',
        find: "  if (trace !== undefined && sequence > trace.sequence) return 'new';\n",
        replace: "  if (trace === undefined || sequence > 0) return 'new';\n",
      },
    ],
  },
  {
    name: 'grants-what-is-reserved',
    what: 'quota that is set aside is granted again',
    shows: ['overdrawn', 'verify-finds'],
    patches: [
      {
        file: 'domain/account/state.ts',
        find: 'state.balance - state.reserved',
        replace: 'state.balance',
      },
    ],
  },
  {
    name: 'grants-repeated-asks',
    what: 'an ask that comes again is granted again',
    shows: ['reserved-at-rest', 'stalled'],
    patches: [
      {
        file: 'domain/account/decider-leases.ts',
        find: '  if (held !== undefined && ask <= held.ask) return accept();\n',
        replace: '',
      },
    ],
  },
  {
    name: 'ships-once',
    what: 'records that the bus does not take are taken for shipped',
    shows: ['not-charged'],
    patches: [
      {
        file: 'relay/metering/shipper-lanes.ts',
        find: '        await this.#pause(Math.min(delayMs, slowestRetryMs));\n',
        replace: '        return true;\n',
      },
    ],
  },
  {
    name: 'recovers-nothing',
    what: 'the journal of a dead instance is not shipped',
    shows: ['not-charged'],
    patches: [
      {
        file: 'relay/metering/journal-recovery.ts',
        find: "  kind !== 'started' && sequence > (shipped.get(partitionOf(userId)) ?? 0);",
        replace: '  kind === null;',
      },
    ],
  },
  {
    name: 'gives-up-reactions',
    what: 'a process manager goes on after a failed reaction',
    shows: ['credit-lost'],
    patches: [
      {
        file: 'command-api/processes/worker.ts',
        find: '      if (attempt === patience) onProgress();\n      return false;\n',
        replace: '      return true;\n',
      },
    ],
  },
];

/** The path of a bundle with these faults. @throws when there is no such fault */
export const bundleWithFaults = (names: readonly string[]): Promise<string> => {
  const chosen = names.map((name) => {
    const fault = faults.find((candidate) => candidate.name === name);
    if (fault === undefined) throw new Error(`no fault is called ${name}`);
    return fault;
  });
  const name = names.length === 0 ? 'plain' : names.join('+');
  return bundle(
    name,
    chosen.flatMap(({ patches }) => patches),
  );
};
