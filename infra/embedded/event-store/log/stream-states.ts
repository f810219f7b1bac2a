import type pg from 'pg';
import { ABSENT, type StreamState } from '../types.ts';

type Row = [string, number, number, boolean, number, Buffer | null];

const query = `
  select name, id, last_revision, is_tombstoned, metadata_revision, metadata
  from streams where name = any($1)`;

/** Committed states of streams, the most recently used kept in memory. */
export class StreamStates {
  readonly #capacity: number;
  readonly #cache = new Map<string, StreamState>();
  /** Rises with each commit, so that a slow load does not put an old state over a new one. */
  #generation = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(name: string): StreamState | undefined {
    const state = this.#cache.get(name);
    if (state !== undefined) {
      this.#cache.delete(name);
      this.#cache.set(name, state);
    }
    return state;
  }

  publish(states: Iterable<[string, StreamState]>): void {
    this.#generation += 1;
    for (const [name, state] of states) this.#keep(name, state);
  }

  clear(): void {
    this.#generation += 1;
    this.#cache.clear();
  }

  /** States of all these streams; a stream that is not there is `ABSENT`. */
  async load(
    client: pg.Pool | pg.Client,
    names: Iterable<string>,
  ): Promise<Map<string, StreamState>> {
    const found = new Map<string, StreamState>();
    const missing = new Set<string>();
    for (const name of names) {
      const state = this.get(name);
      if (state === undefined) missing.add(name);
      else found.set(name, state);
    }
    if (missing.size === 0) return found;
    const generation = this.#generation;
    const { rows } = await client.query<Row>({
      name: 'stream-states',
      text: query,
      values: [[...missing]],
      rowMode: 'array',
    });
    for (const name of missing) found.set(name, ABSENT);
    for (const [name, id, lastRevision, isTombstoned, metadataRevision, metadata] of rows) {
      found.set(name, { id, lastRevision, isTombstoned, metadataRevision, metadata });
    }
    if (generation === this.#generation) {
      for (const name of missing) this.#keep(name, found.get(name) ?? ABSENT);
    }
    return found;
  }

  #keep(name: string, state: StreamState): void {
    this.#cache.delete(name);
    this.#cache.set(name, state);
    if (this.#cache.size <= this.#capacity) return;
    for (const oldest of this.#cache.keys()) {
      this.#cache.delete(oldest);
      return;
    }
  }
}
