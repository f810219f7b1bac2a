import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../ports/logger.ts';
import {
  type Shortened,
  shortenedAfter,
  shortenedNamed,
  type Unreadable,
  unreadableOf,
} from './scavenge-bounds.ts';

type Options = Readonly<{
  pool: pg.Pool;
  logger: Logger;
  /** Events up to this place are gone from the tables, and have to go from memory. */
  onRemoved: (upTo: number) => void;
  /** Milliseconds between two steps of a round; 5 by default. */
  pauseMs?: number;
}>;

/** Streams that are checked in one query, and events that one statement removes. */
const streamsAtOnce = 200;
const eventsAtOnce = 500;
const defaultPauseMs = 5;
const settleMs = 250;
/** Streams that wait to be checked separately; beyond them a round over all streams is due. */
const maxWaiting = 10_000;

/**
 * Removes events that no reader of their stream can reach: of ended and deleted streams, and those
 * out of `$maxCount`, `$maxAge` and `$tb`. All others keep position and revision. Each statement
 * removes a few and is complete in itself, so that a crash leaves nothing half done. Writers and
 * readers continue meanwhile: what is removed was hidden from streams already, and readers of the
 * whole log meet a gap.
 */
export class Scavenger {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<string>();
  /** Rounds run one after another. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  /** A round over all streams. Answers how many events it removed. */
  round(signal?: AbortSignal): Promise<number> {
    const signals = signal === undefined ? [] : [signal];
    const stop = AbortSignal.any([this.#stopping.signal, ...signals]);
    return this.#inTurn(async () => {
      let removed = 0;
      let after = 0;
      while (!stop.aborted) {
        const page = await shortenedAfter(this.#options.pool, after, streamsAtOnce);
        removed += await this.#removeFrom(page, stop);
        after = page.at(-1)?.id ?? 0;
        if (page.length < streamsAtOnce) break;
        await this.#pause(stop, this.#options.pauseMs ?? defaultPauseMs);
      }
      await this.#reclaim(removed);
      return removed;
    });
  }

  /** These streams were deleted: what they held goes soon, in the background. */
  soon(streams: readonly string[]): void {
    if (streams.length === 0 || this.#stopping.signal.aborted) return;
    const isFirst = this.#waiting.size === 0;
    if (this.#waiting.size < maxWaiting) for (const name of streams) this.#waiting.add(name);
    if (!isFirst) return;
    this.#inTurn(() => this.#removeWaiting()).catch((error: unknown) => {
      this.#options.logger.warn({ error: String(error) }, 'deleted events were not removed yet');
    });
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#tail.catch(() => undefined);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.catch(() => undefined).then(work);
    this.#tail = turn;
    return turn;
  }

  async #removeWaiting(): Promise<void> {
    // What is deleted together goes together.
    await this.#pause(this.#stopping.signal, 100);
    const names = [...this.#waiting];
    this.#waiting.clear();
    let removed = 0;
    for (let at = 0; at < names.length; at += streamsAtOnce) {
      const page = await shortenedNamed(this.#options.pool, names.slice(at, at + streamsAtOnce));
      removed += await this.#removeFrom(page, this.#stopping.signal);
    }
    await this.#reclaim(removed);
  }

  async #removeFrom(page: readonly Shortened[], signal: AbortSignal): Promise<number> {
    const end = await this.#end();
    const now = Date.now();
    const unreadable = page.flatMap((shortened) => unreadableOf(shortened, now));
    let removed = 0;
    for (const due of await this.#due(unreadable, end)) {
      removed += await this.#remove(due, { end, signal });
    }
    return removed;
  }

  /** Most streams contain nothing to remove, which one query of their oldest events shows. */
  async #due(unreadable: readonly Unreadable[], end: number): Promise<readonly Unreadable[]> {
    if (unreadable.length === 0) return [];
    const { rows } = await this.#options.pool.query<[number]>({
      text: `select t.nth from unnest($1::text[], $2::int8[], $3::int8[])
               with ordinality as t(name, below, up_to, nth)
             join streams s on s.name = t.name
             cross join lateral (
               select position, revision, created_at_ms from events
               where stream_id = s.id order by revision limit 1) as oldest
             where oldest.position < $4
               and (oldest.revision < t.below or oldest.created_at_ms <= t.up_to)`,
      values: [
        unreadable.map(({ stream }) => stream),
        unreadable.map(({ below }) => below),
        unreadable.map(({ createdUpToMs }) => createdUpToMs ?? -1),
        end,
      ],
      rowMode: 'array',
    });
    return rows.flatMap(([nth]) => unreadable[nth - 1] ?? []);
  }

  async #remove(
    { stream, below, createdUpToMs }: Unreadable,
    { end, signal }: Readonly<{ end: number; signal: AbortSignal }>,
  ): Promise<number> {
    let removed = 0;
    while (!signal.aborted) {
      const { rows } = await this.#options.pool.query<[number]>({
        name: 'scavenge',
        text: `delete from events where position in (
                 select position from (
                   select e.position, e.revision, e.created_at_ms
                   from events e where e.stream_id = (select id from streams where name = $1)
                   order by e.revision limit $5) as oldest
                 where position < $3 and (revision < $2 or created_at_ms <= $4))
               returning position`,
        values: [stream, below, end, createdUpToMs ?? -1, eventsAtOnce],
        rowMode: 'array',
      });
      if (rows.length === 0) return removed;
      removed += rows.length;
      this.#options.onRemoved(Math.max(...rows.map(([position]) => position)));
      await this.#pause(signal, this.#options.pauseMs ?? defaultPauseMs);
    }
    return removed;
  }

  /**
   * The newest event that is not the store's own, and what follows it, is kept: it marks where the
   * log ends, for the next start and for every reader at that position.
   */
  async #end(): Promise<number> {
    const { rows } = await this.#options.pool.query<[number]>({
      text: `select e.position from events e join streams s on s.id = e.stream_id
             where left(e.type, 1) <> '$' and left(s.name, 1) <> '$'
             order by e.position desc limit 1`,
      rowMode: 'array',
    });
    return rows[0]?.[0] ?? 0;
  }

  /** Takes the bytes of removed rows out of their pages, which deleting alone does not. */
  async #reclaim(removed: number): Promise<void> {
    if (removed === 0 || this.#stopping.signal.aborted) return;
    // A reader that began before keeps removed rows where they are until it has its page.
    await this.#pause(this.#stopping.signal, settleMs);
    await this.#options.pool.query('vacuum events');
    this.#options.logger.info({ removed }, 'deleted events were removed');
  }

  async #pause(signal: AbortSignal, ms: number): Promise<void> {
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
