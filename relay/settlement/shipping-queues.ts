import type { UsageLines } from '../../domain/account/messages.ts';
import type { Queue } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { JournalEntry } from './journal.ts';
import { partitionOf, partitions } from './journal-partition.ts';
import { linesOf } from './record-bytes.ts';

type Load = Readonly<{
  entry: JournalEntry;
  onShipped: (entries: readonly JournalEntry[]) => void;
}>;
type PartitionQueue = { readonly partition: number; queue: Load[]; isPublishing: boolean };
type Settings = Readonly<{ queue: Queue<UsageLines>; timers: Timers; logger: Logger }>;

const entryOf = ({ entry }: Load): JournalEntry => entry;

/** Records of one publish. */
const maxBatch = 256;
const firstRetryMs = 50;
const maxRetryMs = 2_000;

/** One publish at a time for each partition, in order, until the bus has taken it. */
export class ShippingQueues {
  readonly #settings: Settings;
  readonly #partitionQueues: PartitionQueue[];
  #waiting = 0;
  #isStopped = false;
  #onDrained: (() => void)[] = [];
  #wake = new Set<() => void>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#partitionQueues = Array.from({ length: partitions }, (_, partition) => ({
      partition,
      queue: [],
      isPublishing: false,
    }));
  }

  /** Records that the bus has not taken over. */
  get waiting(): number {
    return this.#waiting;
  }

  add(entry: JournalEntry, onShipped: Load['onShipped']): void {
    const queue = this.#partitionQueues[partitionOf(entry.userId)];
    if (queue === undefined) return;
    queue.queue.push({ entry, onShipped });
    this.#waiting += 1;
  }

  flush(): void {
    for (const queue of this.#partitionQueues) {
      if (queue.queue.length > 0 && !queue.isPublishing) void this.#publish(queue);
    }
  }

  /** True when everything has left, false when the time is over or the queues were stopped. */
  drained(withinMs: number): Promise<boolean> {
    if (this.#waiting === 0) return Promise.resolve(true);
    const { timers } = this.#settings;
    return new Promise((resolve) => {
      const isBound = Number.isFinite(withinMs);
      const timer = isBound ? timers.setTimeout(() => resolve(false), withinMs) : null;
      this.#onDrained.push(() => {
        timers.clear(timer);
        resolve(this.#waiting === 0);
      });
    });
  }

  stop(): void {
    this.#isStopped = true;
    for (const wake of this.#wake) wake();
    for (const done of this.#onDrained.splice(0)) done();
  }

  async #publish(queue: PartitionQueue): Promise<void> {
    queue.isPublishing = true;
    while (queue.queue.length > 0 && !this.#isStopped) {
      const loads = queue.queue.slice(0, maxBatch);
      const isShipped = await this.#send(queue.partition, loads);
      if (!isShipped) break;
      queue.queue.splice(0, loads.length);
      this.#waiting -= loads.length;
      report(loads);
    }
    queue.isPublishing = false;
    if (this.#waiting === 0) for (const done of this.#onDrained.splice(0)) done();
  }

  /** False only when the queues were stopped. */
  async #send(partition: number, loads: readonly Load[]): Promise<boolean> {
    for (let delayMs = firstRetryMs; !this.#isStopped; delayMs *= 2) {
      try {
        // The texts are made anew for each try, so that nothing holds them while the bus works.
        await this.#settings.queue.publish(partition, linesOf(loads.map(entryOf)));
        return true;
      } catch (error) {
        if (delayMs === firstRetryMs) {
          this.#settings.logger.warn(
            { partition, error: String(error) },
            'usage waits for the bus',
          );
        }
        await this.#pause(Math.min(delayMs, maxRetryMs));
      }
    }
    return false;
  }

  #pause(ms: number): Promise<void> {
    const { timers } = this.#settings;
    return new Promise((resolve) => {
      const done = () => {
        timers.clear(timer);
        this.#wake.delete(done);
        resolve();
      };
      const timer = timers.setTimeout(done, ms);
      this.#wake.add(done);
    });
  }
}

/** Tells each owner of records in one go. */
const report = (loads: readonly Load[]): void => {
  const byOwner = new Map<Load['onShipped'], JournalEntry[]>();
  for (const { entry, onShipped } of loads) {
    const entries = byOwner.get(onShipped);
    if (entries === undefined) byOwner.set(onShipped, [entry]);
    else entries.push(entry);
  }
  for (const [onShipped, entries] of byOwner) onShipped(entries);
};
