import { natsErrors } from './nats-errors.ts';
import type { UndoLog } from './undo-log.ts';

export type BucketEntry = Readonly<{
  revision: number;
  operation: 'PUT' | 'DEL';
  text: string;
  storedAt: number;
}>;
type Bucket = Readonly<{ ttlMs: number | null; entries: Map<string, BucketEntry> }>;

/** Key-value buckets of the server, with its revisions and its time to live. */
export class Buckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #undo: UndoLog;
  readonly #now: () => number;
  #revision = 0;

  constructor(now: () => number, undo: UndoLog) {
    this.#now = now;
    this.#undo = undo;
  }

  open(name: string, ttlMs: number | null): void {
    if (this.#buckets.has(name)) return;
    this.#buckets.set(name, { ttlMs, entries: new Map() });
    this.#undo.note(() => this.#buckets.delete(name));
  }

  get(name: string, key: string): BucketEntry | null {
    const { ttlMs, entries } = this.#bucket(name);
    const entry = entries.get(key);
    if (entry === undefined) return null;
    return ttlMs !== null && this.#now() - entry.storedAt > ttlMs ? null : entry;
  }

  /** `previous`: the revision that the writer has seen, 0 for none. @throws NatsError when it is not */
  write(
    name: string,
    key: string,
    { text, previous }: Readonly<{ text: string | null; previous: number | null }>,
  ): number {
    const { entries } = this.#bucket(name);
    const held = this.get(name, key);
    if (previous !== null && previous !== (held?.revision ?? 0)) throw natsErrors.wrongSequence();
    const before = entries.get(key);
    this.#revision += 1;
    const revision = this.#revision;
    entries.set(key, {
      revision,
      operation: text === null ? 'DEL' : 'PUT',
      text: text ?? '',
      storedAt: this.#now(),
    });
    this.#undo.note(() => {
      if (before === undefined) entries.delete(key);
      else entries.set(key, before);
    });
    return revision;
  }

  loseAll(): void {
    this.#buckets.clear();
  }

  #bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw natsErrors.notFound('bucket');
    return bucket;
  }
}
