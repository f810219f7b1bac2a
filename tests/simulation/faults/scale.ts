import { constant, type Patch } from './patch.ts';

/** The product's bounds, scaled down with everything else: what takes hours there takes seconds here. */
export const scale: readonly Patch[] = [
  constant('domain/shared/partitions.ts', 'accountPartitions', 4),
  constant('relay/settlement/journal-partition.ts', 'partitions', 4),
  constant('command-api/keeper/account-queues.ts', 'eventsPerSnapshot', 20),
  constant('command-api/commands/command-memory.ts', 'rememberedCommands', 6),
  // A table is laid out at its full size for each process that starts.
  constant('command-api/commands/aggregate-cache.ts', 'keptStreams', 60),
  constant('command-api/processes/run-processes.ts', 'saveEvery', 60),
  constant('command-api/processes/run-processes.ts', 'announceEveryMs', 30_000),
  // Histories are short: with longer ticks most of them would have one.
  constant('relay/settlement/shipping-tick.ts', 'quietMs', 250),
  constant('projections/runtime/tick.ts', 'quietMs', 250),
  constant('relay/settlement/record-bytes.ts', 'slabBytes', 4_096),
];
