import type { Recorded } from '../../domain/shared/event.ts';
import type { Check } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

/** No checkpoint is ahead of the log: of processes by their own events, of projections by rows. */
export class CheckpointCheck implements Check<'checkpoints'> {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'checkpoints'>>): void {
    const { name, position } = recorded.event.data;
    if (BigInt(position) < recorded.position) return;
    const detail = `process ${name} says it has come to ${position}`;
    this.#findings.ofEvent('checkpoint-ahead', recorded, detail);
  }

  end(checkpoints: ReadonlyMap<string, bigint | null>, head: bigint | null): void {
    for (const [name, position] of checkpoints) {
      if (position === null || position <= (head ?? -1n)) continue;
      const detail = `stands at ${position}, the log ends at ${head ?? 'nothing'}`;
      this.#findings.ofRow('checkpoint-ahead', `projections.checkpoint/${name}`, detail);
    }
  }
}
