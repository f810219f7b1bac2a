import type { LogRecord } from '../types.ts';
import type { Log } from './log.ts';

/** What a follower gets: records in order, and a mark each time it reaches the end. */
export type Step =
  | Readonly<{ kind: 'records'; records: readonly LogRecord[] }>
  | 'caught-up'
  | 'stream-deleted';

const pageSize = 512;

/**
 * Everything after `position`, then all later events. Catching up and following are the same code,
 * so that nothing is lost or doubled between them.
 */
export const followAll = async function* (
  log: Log,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let cursor = position;
  // The head is read first: what is committed while the page is read triggers a wake-up afterwards.
  const readOn = () => ({
    head: log.commits.head,
    records: log.readAll(cursor + 1, 'forwards', pageSize),
  });
  let onItsWay: ReturnType<typeof readOn> | null = null;
  while (!signal.aborted) {
    const reading = onItsWay ?? readOn();
    onItsWay = null;
    const records = await reading.records;
    const last = records.at(-1);
    if (last !== undefined) {
      cursor = last.position;
      if (records.length === pageSize) {
        onItsWay = readOn();
        onItsWay.records.catch(() => undefined);
      }
      yield { kind: 'records', records };
      continue;
    }
    yield 'caught-up';
    await log.commits.after(Math.max(reading.head, cursor), null, signal);
  }
};

/** Follows one stream: pages from the database until nothing is left, then the tail in memory. */
class StreamFollower {
  readonly #log: Log;
  readonly #stream: string;
  #cursor: number;
  /** Everything up to this place in the log has been filtered; null while catching up. */
  #seen: number | null = null;

  constructor(log: Log, stream: string, revision: number) {
    this.#log = log;
    this.#stream = stream;
    this.#cursor = revision;
  }

  /** What is new; `caught-up` when nothing is. */
  async next(): Promise<Step> {
    const recent = this.#seen === null ? null : this.#log.recentAfter(this.#seen);
    return recent === null ? this.#nextPage() : this.#nextRecent(recent);
  }

  wait(signal: AbortSignal): Promise<void> {
    return this.#log.commits.after(this.#seen ?? 0, this.#stream, signal);
  }

  #nextRecent(recent: readonly LogRecord[]): Step {
    const isNew = ({ stream, revision }: LogRecord): boolean =>
      stream === this.#stream && revision > this.#cursor;
    const found = recent.filter(isNew);
    const tombstone = found.findIndex(({ type }) => type === '$streamDeleted');
    if (tombstone === 0) return 'stream-deleted';
    const records = tombstone < 0 ? found : found.slice(0, tombstone);
    // What precedes a tombstone is sent first; the next turn finds the tombstone.
    const lookedAt = tombstone < 0 ? recent.at(-1) : records.at(-1);
    this.#seen = lookedAt?.position ?? this.#seen;
    return this.#step(records);
  }

  async #nextPage(): Promise<Step> {
    // Taken before the read: what is committed meanwhile is searched in memory.
    const head = this.#log.commits.head;
    const page = await this.#log.readStream({
      stream: this.#stream,
      from: this.#cursor + 1,
      direction: 'forwards',
      limit: pageSize,
    });
    if (page.kind === 'stream-deleted') return page.kind;
    const records = page.kind === 'records' ? page.records : [];
    if (records.length > 0) return this.#step(records);
    this.#seen = head;
    return this.next();
  }

  #step(records: readonly LogRecord[]): Step {
    const last = records.at(-1);
    if (last === undefined) return 'caught-up';
    this.#cursor = last.revision;
    return { kind: 'records', records };
  }
}

/** The same for one stream; ends with `stream-deleted` when a tombstone closes it. */
export const followStream = async function* (
  log: Log,
  start: Readonly<{ stream: string; revision: number }>,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const follower = new StreamFollower(log, start.stream, start.revision);
  while (!signal.aborted) {
    const step = await follower.next();
    yield step;
    if (step === 'stream-deleted') return;
    if (step === 'caught-up') await follower.wait(signal);
  }
};
