import { randomUUID } from 'node:crypto';
import type { Log } from '../log/log.ts';
import { type LogRecord, metaStreamOf } from '../types.ts';
import type { ResolvedRecord } from '../wire/read-response.ts';
import { type GroupKey, parkedStreamOf } from './settings.ts';

const writeDeadlineMs = 10_000;
const pageSize = 512;

/** Events that a group gave up on: links in a stream of the log, as the real server keeps them. */
export class Parking {
  readonly #log: Log;
  readonly #stream: string;

  constructor(log: Log, key: GroupKey) {
    this.#log = log;
    this.#stream = parkedStreamOf(key);
  }

  /** A group on the whole log must not feed on what it parked itself. */
  isOwnStream(stream: string): boolean {
    return stream === this.#stream || stream === metaStreamOf(this.#stream);
  }

  async park({ record, link }: ResolvedRecord, reason: string): Promise<void> {
    const target = link?.stream === this.#stream ? (record ?? link) : (link ?? record);
    if (target === null) return;
    await this.#append(this.#stream, {
      type: '$>',
      data: `${target.revision}@${target.stream}`,
      metadata: JSON.stringify({ added: new Date().toISOString(), reason }),
    });
  }

  async count(): Promise<number> {
    return (await this.#read(null)).length;
  }

  /** Reads the parked events and takes them off the stream. `stopAt`: how many at most. */
  async takeAll(stopAt: number | null): Promise<readonly LogRecord[]> {
    const parked = await this.#read(stopAt);
    const last = parked.at(-1);
    if (last === undefined) return [];
    const bounds = JSON.stringify({ $tb: last.revision + 1 });
    await this.#append(metaStreamOf(this.#stream), {
      type: '$metadata',
      data: bounds,
      metadata: '',
    });
    return parked;
  }

  async clear(): Promise<void> {
    const deadline = Date.now() + writeDeadlineMs;
    await this.#log.write(
      { kind: 'delete', stream: this.#stream, expected: 'any', events: [] },
      deadline,
    );
  }

  async #read(stopAt: number | null): Promise<LogRecord[]> {
    const found: LogRecord[] = [];
    const limit = stopAt ?? Number.MAX_SAFE_INTEGER;
    let from = 0;
    while (found.length < limit) {
      const page = await this.#log.readStream({
        stream: this.#stream,
        from,
        direction: 'forwards',
        limit: Math.min(pageSize, limit - found.length),
      });
      const records = page.kind === 'records' ? page.records : [];
      const last = records.at(-1);
      if (last === undefined) break;
      found.push(...records);
      from = last.revision + 1;
    }
    return found;
  }

  async #append(
    stream: string,
    event: Readonly<{ type: string; data: string; metadata: string }>,
  ): Promise<void> {
    const events = [
      {
        eventId: randomUUID(),
        type: event.type,
        isJson: event.type !== '$>',
        data: Buffer.from(event.data),
        metadata: Buffer.from(event.metadata),
      },
    ];
    const write = { kind: 'append', stream, expected: 'any', events } as const;
    const result = await this.#log.write(write, Date.now() + writeDeadlineMs);
    if (result.kind !== 'written') throw new Error(`not parked: ${result.kind}`);
  }
}
