import type { Recorded } from '../../domain/shared/event.ts';
import type { ReadModelState } from '../ports/read-models.ts';
import { type Check, timeOf } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type Checkpoint = Readonly<{ name: string; eventId: string }>;
/** `since`: time of the first event that the projection has not applied. */
type Behind = Readonly<{ name: string; position: bigint; since: number }>;

/** So late may a projection be before what it does not show is a break. */
const graceMs = 60_000;

const rowOf = (name: string): string => `projections.checkpoint/${name}`;

/**
 * No checkpoint is ahead of the log, of processes by their own events, of projections by rows; at the checkpoint
 * of a projection is the event that it names, and no projection stays behind: what it does not show is
 * compared with nothing.
 */
export class CheckpointCheck implements Check<'checkpoints'> {
  readonly #findings: Findings;
  readonly #state: ReadModelState | null;
  /** Checkpoints whose event has not gone by yet, by place. */
  readonly #ahead = new Map<bigint, Checkpoint[]>();
  /** Checkpoints that no event has passed so far; the nearest is last. */
  readonly #unpassed: (readonly [name: string, position: bigint])[] = [];
  readonly #behind: Behind[] = [];
  /** The newest checkpoint of each process: only that is in force. */
  readonly #processes = new Map<string, Recorded<ConcernedEvent<'checkpoints'>>>();

  constructor(state: ReadModelState | null, findings: Findings) {
    this.#state = state;
    this.#findings = findings;
    for (const [name, eventId] of state?.checkpointEvents ?? []) {
      const position = state?.checkpoints.get(name) ?? null;
      if (position === null || eventId === null) continue;
      this.#ahead.set(position, [...(this.#ahead.get(position) ?? []), { name, eventId }]);
    }
    for (const [name, position] of state?.checkpoints ?? []) {
      this.#unpassed.push([name, position ?? -1n]);
    }
    this.#unpassed.sort(([, a], [, b]) => (a < b ? 1 : -1));
  }

  /** Of every event. */
  seePlace(recorded: Recorded): void {
    const { position, eventId } = recorded;
    for (let next = this.#unpassed.at(-1); next !== undefined && next[1] < position; ) {
      this.#unpassed.pop();
      this.#behind.push({ name: next[0], position: next[1], since: timeOf(recorded) });
      next = this.#unpassed.at(-1);
    }
    const here = this.#ahead.get(position);
    if (here === undefined) return;
    this.#ahead.delete(position);
    for (const checkpoint of here) {
      if (checkpoint.eventId === eventId) continue;
      const detail = `names event ${checkpoint.eventId}, the log has ${eventId} at this position`;
      this.#findings.ofRow({ kind: 'checkpoint-mismatch', row: rowOf(checkpoint.name), detail });
    }
  }

  see(recorded: Recorded<ConcernedEvent<'checkpoints'>>): void {
    this.#processes.set(recorded.event.data.name, recorded);
  }

  /** `openedAt`: when the checkpoints were read, Unix milliseconds. */
  end(head: bigint | null, openedAt: number): void {
    const end = head ?? -1n;
    this.#reportProcesses();
    for (const { name, position, since } of this.#behind) {
      if (openedAt - since < graceMs) continue;
      const detail = `is at ${position}, and has not applied an event of ${new Date(since).toISOString()}`;
      this.#findings.ofRow({ kind: 'checkpoint-behind', row: rowOf(name), detail });
    }
    for (const [name, position] of this.#state?.checkpoints ?? []) {
      if (position === null || position <= end) continue;
      const detail = `is at ${position}, the log ends at ${head ?? 'nothing'}`;
      this.#findings.ofRow({ kind: 'checkpoint-ahead', row: rowOf(name), detail });
    }
    this.#reportAbsent(end);
  }

  #reportProcesses(): void {
    for (const [name, recorded] of this.#processes) {
      const { position } = recorded.event.data;
      if (BigInt(position) < recorded.position) continue;
      const detail = `process ${name} records position ${position}, which is not before this event`;
      this.#findings.ofEvent('checkpoint-ahead', recorded, detail);
    }
  }

  #reportAbsent(end: bigint): void {
    for (const [position, checkpoints] of this.#ahead) {
      if (position > end) continue;
      for (const { name } of checkpoints) {
        const detail = `is at ${position}, where the log has no event`;
        this.#findings.ofRow({ kind: 'checkpoint-mismatch', row: rowOf(name), detail });
      }
    }
  }
}
