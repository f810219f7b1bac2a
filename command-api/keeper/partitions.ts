import { accountPartitions } from '../../domain/account/messages.ts';
import type { Bus, KeyValue, Stop } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Timer, Timers } from '../../infra/ports/timers.ts';
import { PartitionMembers } from './partition-members.ts';

type Settings = Readonly<{
  bus: Bus;
  timers: Timers;
  logger: Logger;
  /** Names this life of the keeper; no two are alike. */
  keeperId: string;
  /** Begins to work on a partition; the answer ends it. */
  take: (partition: number, onLost: () => void) => Promise<Stop>;
  /** A keeper has ended; it may have granted leases in partitions of others. */
  onKeeperGone: (owned: readonly number[]) => Promise<void>;
  /** How often partitions are checked; 1 s by default. */
  roundMs?: number;
  /** Silence after which a keeper is taken for dead; 4 s by default. */
  silentMs?: number;
}>;

export interface Partitions {
  /** Resolves after the first round, whether the bus answered or not. */
  start(): Promise<void>;
  /** Releases everything in order, so that others need not wait. */
  stop(): Promise<void>;
  owned(): readonly number[];
  /** Another living keeper that owns the partition; null: this one does, or none. */
  ownerOf(partition: number): string | null;
}

/** The bucket expires what is not renewed, even when no keeper is left to clean up. */
const ttlSeconds = 30;
const renewAfterMs = 10_000;
const atOnce = 16;
const stopGraceMs = 3_000;

const pause = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.setTimeout(resolve, ms).unref();
  });

type Held = { stop: Stop; renewedAt: number; isContested: boolean };
type Owner = Readonly<{ keeperId: string }>;

const everyPartition: readonly number[] = Array.from({ length: accountPartitions }, (_, i) => i);

const inParallel = async (
  items: Iterable<number>,
  work: (item: number) => Promise<void>,
): Promise<void> => {
  const rest = [...items].values();
  const queue = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, queue));
};

/**
 * Shares the account partitions among the running keepers, through a bucket. Each holds its equal
 * part at most and gives back what is more. It is about order and speed alone: should two own a
 * partition for an instant, the expected revision of the log decides.
 */
class SharedPartitions implements Partitions {
  readonly #settings: Settings;
  readonly #members: PartitionMembers;
  readonly #bucket: KeyValue;
  readonly #held = new Map<number, Held>();
  #timer: Timer | null = null;
  #round: Promise<void> | null = null;
  #isWanted = false;
  #taking = 0;
  #isStopped = false;
  /** As of the last round. */
  #living: readonly string[] = [];

  constructor(settings: Settings) {
    const { bus, timers, keeperId, silentMs = 4_000 } = settings;
    this.#settings = settings;
    this.#bucket = bus.keyValue('keeper-partitions', { ttlSeconds });
    this.#members = new PartitionMembers({
      bus,
      keeperId,
      silentMs,
      now: () => timers.now(),
      onChange: () => this.#lookThrough(),
    });
  }

  async start(): Promise<void> {
    await this.#members.start();
    const round = (): void => {
      this.#announce();
      this.#lookThrough();
    };
    const { timers, roundMs = 1_000 } = this.#settings;
    this.#timer = timers.setInterval(round, roundMs).unref();
    this.#announce();
    this.#lookThrough();
    await this.#round;
  }

  async stop(): Promise<void> {
    const { timers } = this.#settings;
    this.#isStopped = true;
    timers.clear(this.#timer);
    // A round hangs while the bus is away; what it would still take dies with this process.
    await Promise.race([this.#round, pause(timers, stopGraceMs)]);
    await inParallel([...this.#held.keys()], (partition) => this.#release(partition));
    this.#members.say([], true);
    await this.#members.stop();
  }

  owned(): readonly number[] {
    return [...this.#held.keys()];
  }

  ownerOf(partition: number): string | null {
    return this.#held.has(partition) ? null : this.#members.ownerOf(partition);
  }

  #now(): number {
    return this.#settings.timers.now();
  }

  #announce(): void {
    if (!this.#isStopped) this.#members.say(this.owned());
  }

  #lookThrough(): void {
    this.#isWanted = true;
    this.#round ??= this.#lookThroughWhileWanted().finally(() => {
      this.#round = null;
    });
  }

  async #lookThroughWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      const before = this.owned().join();
      try {
        await inParallel(this.owned(), (partition) => this.#keep(partition));
        await this.#noteGone();
        await this.#share();
      } catch (error) {
        this.#settings.logger.warn({ error: String(error) }, 'partitions could not be shared');
      }
      if (this.owned().join() !== before) this.#announce();
    }
  }

  /** Renews what is held, and settles it when another keeper claims it as well. */
  async #keep(partition: number): Promise<void> {
    const held = this.#held.get(partition);
    if (held === undefined) return;
    const isContested = this.#members.ownerOf(partition) !== null;
    const begunAt = this.#now();
    const isDue = begunAt - held.renewedAt > renewAfterMs;
    if (!isContested && !held.isContested && !isDue) return;
    const owner = await this.#bucket.get<Owner>(String(partition));
    if (owner !== null && owner.keeperId !== this.#settings.keeperId) {
      await this.#drop(partition);
      return;
    }
    await this.#bucket.put<Owner>(String(partition), { keeperId: this.#settings.keeperId });
    const isLate = this.#now() - held.renewedAt > (ttlSeconds * 1_000) / 2;
    const wasContested = held.isContested && !isContested;
    held.renewedAt = begunAt;
    held.isContested = isContested;
    // An owner meanwhile has cut off the reader of this keeper: it begins again.
    if (isLate || wasContested) {
      await this.#drop(partition);
      await this.#begin(partition, begunAt);
    }
  }

  async #noteGone(): Promise<void> {
    const living = this.#members.living();
    const isGone = this.#living.some((keeperId) => !living.includes(keeperId));
    if (isGone) await this.#settings.onKeeperGone(this.owned());
    this.#living = living;
  }

  async #share(): Promise<void> {
    const living = this.#members.living();
    const fair = Math.ceil(accountPartitions / living.length);
    await inParallel(this.owned().slice(fair), (partition) => this.#release(partition));
    const ownerless = everyPartition.filter(
      (partition) => !this.#held.has(partition) && this.#members.ownerOf(partition) === null,
    );
    await inParallel(ownerless, async (partition) => {
      const isFree = await this.#isFree(partition, living);
      const isRoom = this.#held.size + this.#taking < fair && !this.#isStopped;
      if (isFree && isRoom) await this.#acquire(partition);
    });
  }

  /**
   * Cleans up after the dead: one keeper for each partition, so that two do not remove what is
   * taken again.
   */
  async #isFree(partition: number, living: readonly string[]): Promise<boolean> {
    const { keeperId } = this.#settings;
    const owner = await this.#bucket.get<Owner>(String(partition));
    if (owner === null) return true;
    const isOurs = owner.keeperId === keeperId;
    const isDead = !isOurs && !this.#members.isAlive(owner.keeperId);
    if (!isOurs && !(isDead && living[partition % living.length] === keeperId)) return false;
    await this.#bucket.remove(String(partition));
    return true;
  }

  async #acquire(partition: number): Promise<void> {
    const begunAt = this.#now();
    this.#taking += 1;
    try {
      const owner: Owner = { keeperId: this.#settings.keeperId };
      if (!(await this.#bucket.create<Owner>(String(partition), owner))) return;
      await this.#begin(partition, begunAt);
    } finally {
      this.#taking -= 1;
    }
  }

  async #begin(partition: number, renewedAt: number): Promise<void> {
    let isLost = false;
    const stop = await this.#settings.take(partition, () => {
      isLost = true;
      this.#lose(partition);
    });
    this.#held.set(partition, { stop, renewedAt, isContested: false });
    if (isLost) this.#lose(partition);
  }

  /** Its reader has ended for another keeper's: the bucket decides who continues. */
  #lose(partition: number): void {
    void this.#drop(partition).then(() => this.#lookThrough());
  }

  async #drop(partition: number): Promise<void> {
    const held = this.#held.get(partition);
    this.#held.delete(partition);
    await held?.stop();
  }

  /** First the work ends, then the key goes: the next owner starts where this one has ended. */
  async #release(partition: number): Promise<void> {
    await this.#drop(partition);
    await this.#bucket.remove(String(partition)).catch((error: unknown) => {
      this.#settings.logger.debug({ partition, error: String(error) }, 'left to its end of life');
    });
  }
}

export const sharePartitions = (settings: Settings): Partitions => new SharedPartitions(settings);

/** All partitions, where no other keeper can be. */
export const ownAllPartitions = (
  take: (partitions: readonly number[]) => Promise<Stop>,
): Partitions => {
  let stop: Stop = async () => undefined;
  return {
    start: async () => {
      stop = await take(everyPartition);
    },
    stop: () => stop(),
    owned: () => everyPartition,
    ownerOf: () => null,
  };
};
