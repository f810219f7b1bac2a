import type { UsageBatch, UsageRecord, UsageSettled } from '../../../domain/account/messages.ts';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import { createMetrics } from '../../../infra/metrics/create-metrics.ts';
import type { Bus, Queue } from '../../../infra/ports/bus.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import {
  type JournalSettings,
  openJournal,
  type ShippableJournal,
  type StartedEntry,
  type UsedEntry,
} from '../../../relay/settlement/journal.ts';
import { createShipper, type Shipper } from '../../../relay/settlement/shipper.ts';
import { aStartedRecord, aUsedRecord } from '../account-examples.ts';
import { MemoryFiles } from '../memory-files.ts';
import { silentLogger } from '../silent-logger.ts';
import { VirtualTimers } from '../virtual-timers.ts';

export const directory = 'journal';

export const started = (nth: number, userId = 7, producerId: number | null = 1): StartedEntry => {
  const { kind: _k, relayId: _r, sequence: _s, ...entry } = aStartedRecord({ userId });
  return { ...entry, producerId, requestId: `req-${nth}` };
};
export const used = (nth: number, userId = 7, producerId: number | null = 1): UsedEntry => {
  const { relayId: _r, sequence: _s, usageNumber: _n, ...entry } = aUsedRecord({ userId });
  return { ...entry, producerId, call: { ...entry.call, requestId: `req-${nth}` } };
};

export type Received = Readonly<{
  batch: number;
  partition: number;
  isOldest: boolean;
  lines: readonly string[];
}>;

/** A keeper that answers when the test makes it, and a bus that can lose what it has taken. */
class FakeKeeper {
  readonly timers = new VirtualTimers();
  readonly memory: Bus;
  /** Every batch that reached the bus, also those that it lost again. */
  readonly received: Received[] = [];
  /** How many publishes the bus refuses; each costs one. */
  refusals = 0;
  /** Publishes neither succeed nor fail. */
  isHanging = false;
  /** How long the bus takes for a publish. */
  publishMs = 0;
  /** Which batches it settles, at once. */
  settles: (batch: Received) => boolean = () => true;

  constructor() {
    this.memory = createMemoryBus({ logger: silentLogger, timers: this.timers });
  }

  /** The bus of the relay. */
  get bus(): Bus {
    const publish = async (partition: number, items: readonly string[]): Promise<void> => {
      if (this.isHanging) await new Promise<never>(() => undefined);
      if (this.publishMs > 0) {
        await new Promise<void>((resolve) => this.timers.setTimeout(resolve, this.publishMs));
      }
      this.refusals -= 1;
      if (this.refusals >= 0) throw new Error('away');
      for (const item of items) this.#receive(partition, item);
    };
    const queue = { publish, consume: () => Promise.reject(new Error('not here')) };
    return { ...this.memory, queue: <T>() => queue as unknown as Queue<T> };
  }

  /** Records of all received batches, in order. */
  get records(): UsageRecord[] {
    return recordsOf(this.received);
  }

  settle(relayId: string, partition: number, batches: readonly number[]): void {
    this.memory.publish<UsageSettled>('usage.settled', { relayId, partition, batches });
  }

  /** Cannot settle these without older ones. */
  wait(relayId: string, partition: number, waiting: readonly number[]): void {
    this.memory.publish<UsageSettled>('usage.settled', {
      relayId,
      partition,
      batches: [],
      waiting,
    });
  }

  /** Sends a heartbeat. */
  renew(partitions: readonly number[]): void {
    this.memory.publish('lease.renewed', { relayId: 'another', partitions });
  }

  #receive(partition: number, item: string): void {
    const [first = '', ...lines] = item.split('\n');
    const { kind, relayId, batch, isOldest = false } = JSON.parse(first) as UsageBatch;
    if (kind !== 'batch') throw new Error('a text without its first line');
    const received = { batch, partition, isOldest, lines };
    this.received.push(received);
    if (this.settles(received)) this.settle(relayId, partition, [batch]);
  }
}

export const recordsOf = (received: readonly Received[]): UsageRecord[] =>
  received.flatMap(({ lines }) => lines.map((line) => JSON.parse(line) as UsageRecord));

type Opened = Readonly<{ journal: ShippableJournal; shipper: Shipper }>;

/** Relay instances over one disk, one bus and one clock that the test moves. */
export class JournalHarness {
  readonly files = new MemoryFiles();
  readonly keeper = new FakeKeeper();
  readonly metrics = createMetrics({ process: 'test' });
  readonly logged: object[] = [];
  #instances = 0;
  /** Instances whose process has ended. */
  readonly #ended = new Set<number>();

  get timers(): VirtualTimers {
    return this.keeper.timers;
  }

  /** A relay instance; earlier ones count as dead unless the test keeps them alive. */
  open(relayId: string, more: Partial<JournalSettings> = {}): ShippableJournal {
    const pid = this.#instances;
    this.#instances += 1;
    return openJournal({
      files: this.files,
      timers: this.timers,
      processTable: {
        own: () => ({ pid, startedAt: '' }),
        isAlive: (process) => !this.#ended.has(process.pid),
      },
      clock: () => new Date(0),
      logger: this.#logger(),
      metrics: this.metrics,
      directory,
      relayId,
      segmentBytes: 256 * 1024,
      ...more,
    });
  }

  async start(relayId: string, more: object = {}): Promise<Opened> {
    const journal = this.open(relayId, more);
    return { journal, shipper: await this.ship(journal, more) };
  }

  async ship(journal: ShippableJournal, more: object = {}): Promise<Shipper> {
    const { timers, metrics } = this;
    const { bus } = this.keeper;
    const shipper = createShipper({
      journal,
      bus,
      timers,
      logger: this.#logger(),
      metrics,
      tick: { quietMs: 0, busyMs: 0 },
      ...more,
    });
    await shipper.start();
    return shipper;
  }

  /** The process of every instance so far has ended. */
  kill(): void {
    for (let pid = 0; pid < this.#instances; pid += 1) this.#ended.add(pid);
  }

  /** Records in the files of an instance, settled or not. */
  filed(relayId: string): string {
    return this.files
      .segments(`${directory}/${relayId}`)
      .map((path) => this.files.read(path).toString('latin1').replaceAll('\0', ''))
      .join('');
  }

  #logger(): Logger {
    const note = (detail: object, message: string): void => {
      this.logged.push({ ...detail, message });
    };
    return { ...silentLogger, error: note, warn: note } as Logger;
  }
}
