import type { Recorded } from '../../domain/shared/event.ts';
import type { ReadModelView } from '../ports/read-models.ts';
import type { Check } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type Checkpoint = Readonly<{ name: string; eventId: string }>;

const rowOf = (name: string): string => `projections.checkpoint/${name}`;

/**
 * No checkpoint is ahead of the log, of processes by their own events, of projections by rows; and at the
 * checkpoint of a projection stands the event that it names.
 */
export class CheckpointCheck implements Check<'checkpoints'> {
  readonly #findings: Findings;
  readonly #view: Pick<ReadModelView, 'checkpoints' | 'checkpointEvents'> | null;
  /** Checkpoints whose event has not gone by yet, by place. */
  readonly #ahead = new Map<bigint, Checkpoint[]>();

  constructor(
    view: Pick<ReadModelView, 'checkpoints' | 'checkpointEvents'> | null,
    findings: Findings,
  ) {
    this.#view = view;
    this.#findings = findings;
    for (const [name, eventId] of view?.checkpointEvents ?? []) {
      const position = view?.checkpoints.get(name) ?? null;
      if (position === null || eventId === null) continue;
      this.#ahead.set(position, [...(this.#ahead.get(position) ?? []), { name, eventId }]);
    }
  }

  /** Of every event. */
  seePlace({ position, eventId }: Recorded): void {
    const here = this.#ahead.get(position);
    if (here === undefined) return;
    this.#ahead.delete(position);
    for (const checkpoint of here) {
      if (checkpoint.eventId === eventId) continue;
      const detail = `names event ${checkpoint.eventId}, the log has ${eventId} there`;
      this.#findings.ofRow('checkpoint-mismatch', rowOf(checkpoint.name), detail);
    }
  }

  see(recorded: Recorded<ConcernedEvent<'checkpoints'>>): void {
    const { name, position } = recorded.event.data;
    if (BigInt(position) < recorded.position) return;
    const detail = `process ${name} says it has come to ${position}`;
    this.#findings.ofEvent('checkpoint-ahead', recorded, detail);
  }

  end(head: bigint | null): void {
    const end = head ?? -1n;
    for (const [name, position] of this.#view?.checkpoints ?? []) {
      if (position === null || position <= end) continue;
      const detail = `stands at ${position}, the log ends at ${head ?? 'nothing'}`;
      this.#findings.ofRow('checkpoint-ahead', rowOf(name), detail);
    }
    this.#reportAbsent(end);
  }

  #reportAbsent(end: bigint): void {
    for (const [position, checkpoints] of this.#ahead) {
      if (position > end) continue;
      for (const { name } of checkpoints) {
        const detail = `stands at ${position}, where the log has no event`;
        this.#findings.ofRow('checkpoint-mismatch', rowOf(name), detail);
      }
    }
  }
}
