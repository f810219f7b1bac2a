import type { UsageLines, UsageSettled } from '../../domain/account/messages.ts';
import type { RelayId } from '../../domain/shared/ids.ts';
import type { Queue } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { JournalEntry } from './journal.ts';
import { partitionOf, partitions } from './journal-partition.ts';
import { ShippingPartition } from './shipping-partition.ts';
import type { RecordSource, ResendPlan } from './unsettled-batches.ts';
import { overdueMs } from './unwritten-outcomes.ts';

type Settings = Readonly<{
  relayId: RelayId;
  queue: Queue<UsageLines>;
  timers: Timers;
  logger: Logger;
  resend: ResendPlan;
  /** Records have left for the bus. */
  onTaken: () => void;
}>;

const pollMs = 20;

/** All partitions on their way over the bus to the keepers. */
export class ShippingQueues {
  readonly #settings: Settings;
  readonly #partitions: readonly ShippingPartition[];
  #waiting = 0;
  #lastBatch = 0;
  #isStopped = false;
  readonly #wake = new Set<() => void>();

  constructor(settings: Settings) {
    this.#settings = settings;
    const { relayId, logger, timers, queue } = settings;
    const deps = {
      relayId,
      logger,
      now: () => timers.now(),
      nextBatch: () => {
        this.#lastBatch += 1;
        return this.#lastBatch;
      },
      publish: (partition: number, texts: readonly UsageLines[]) => queue.publish(partition, texts),
      pause: (ms: number) => this.#pause(ms),
      onTaken: (records: number) => {
        this.#waiting -= records;
        settings.onTaken();
      },
    };
    this.#partitions = Array.from(
      { length: partitions },
      (_, partition) => new ShippingPartition(partition, deps),
    );
  }

  /** Records that the bus has not taken over. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Records that the bus may have and no keeper has settled. */
  get unsettled(): number {
    return this.#partitions.reduce((sum, { unsettled }) => sum + unsettled.records, 0);
  }

  /** Nothing waits for the bus or for a keeper. */
  get isSettled(): boolean {
    return this.#partitions.every(({ isSettled }) => isSettled);
  }

  add(entry: JournalEntry, source: RecordSource): void {
    this.#partitions[partitionOf(entry.userId)]?.add(entry, source);
    this.#waiting += 1;
  }

  flush(): void {
    for (const partition of this.#partitions) partition.flush();
  }

  settled({ relayId, partition, batches, waiting = [] }: UsageSettled): void {
    if (relayId !== this.#settings.relayId) return;
    this.#partitions[partition]?.settled(batches);
    this.#partitions[partition]?.unsettled.noteWaiting(waiting);
  }

  /** Keepers of these partitions are alive. */
  noteAlive(alive: readonly number[]): void {
    for (const partition of alive) this.#partitions[partition]?.unsettled.noteAlive();
  }

  /** Sends again what has stayed without an answer for too long. */
  check(): void {
    for (const partition of this.#partitions) partition.check(this.#settings.resend);
  }

  /** False while publishes fail or do not return. */
  isTaking(): boolean {
    return this.#partitions.every((partition) => partition.isTaking(overdueMs));
  }

  /** True as soon as it is so, false when the time is over. */
  async until(isDone: () => boolean, withinMs: number): Promise<boolean> {
    const { timers } = this.#settings;
    const end = timers.now() + withinMs;
    while (!isDone()) {
      if (this.#isStopped || timers.now() >= end) return false;
      await this.#pause(pollMs);
    }
    return true;
  }

  stop(): void {
    this.#isStopped = true;
    for (const partition of this.#partitions) partition.stop();
    for (const wake of this.#wake) wake();
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
