import type { Logger } from '../../ports/logger.ts';
import type { Log } from './log/log.ts';
import type { ScavengeRounds } from './log/scavenge-rounds.ts';

/** What every service of the node works with. */
export type NodeContext = Readonly<{
  log: Log;
  logger: Logger;
  rounds: ScavengeRounds;
  /** Aborted when the node goes down. */
  stopping: AbortSignal;
  /** Sum of data, metadata and twice the type names of one append. */
  maxAppendBytes: number;
}>;
