import type { Files } from '../ports/files.ts';
import type { ProcessTable } from '../ports/process-table.ts';
import type { Random } from '../ports/random.ts';
import type { Timers } from '../ports/timers.ts';
import { nodeFiles } from './files.ts';
import { nodeProcessTable } from './process-table.ts';
import { nodeRandom } from './random.ts';
import { nodeTimers } from './timers.ts';

/** What a process gets from the machine it runs on. */
export type System = Readonly<{
  timers: Timers;
  random: Random;
  files: Files;
  processTable: ProcessTable;
}>;

export const nodeSystem: System = {
  timers: nodeTimers,
  random: nodeRandom,
  files: nodeFiles,
  processTable: nodeProcessTable,
};
