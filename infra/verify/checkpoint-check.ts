import type { Recorded } from '../../domain/shared/event.ts';
import type { Check } from './check.ts';
import type { Findings } from './findings.ts';

/** Nobody has read further than the log goes: processes by their own events, projections by rows. */
export class CheckpointCheck implements Check {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded): void {
    if (recorded.event.type !== 'ProcessAdvanced') return;
    const { name, position } = recorded.event.data as { name?: string; position?: string };
    if (position === undefined || !/^\d+$/.test(position)) return;
    if (BigInt(position) < recorded.position) return;
    const detail = `process ${name ?? ''} says it has come to ${position}`;
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
