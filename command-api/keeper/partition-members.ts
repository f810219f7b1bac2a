import type { Bus, Stop } from '../../infra/ports/bus.ts';

/**
 * Sent by every keeper once in a round, and at once when it starts, changes ownership or leaves.
 */
export type KeeperAlive = Readonly<{
  keeperId: string;
  owns: readonly number[];
  leaving?: true;
}>;

const keeperAliveSubject = 'keeper.alive';

type Settings = Readonly<{
  bus: Bus;
  keeperId: string;
  now: () => number;
  /** Milliseconds of silence after which a keeper is taken for dead. */
  silentMs: number;
  /** A keeper started, left or changed what it owns. */
  onChange: () => void;
}>;

type Member = { seenAt: number; owns: ReadonlySet<number> };

/** The running keepers and what each of them claims to own. */
export class PartitionMembers {
  readonly #settings: Settings;
  readonly #others = new Map<string, Member>();
  /** When this keeper last received its own heartbeat, and since when without a gap. */
  #echoAt = 0;
  #listeningSince = 0;
  #stop: Stop | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const { bus, now } = this.#settings;
    this.#echoAt = now();
    this.#listeningSince = now();
    this.#stop = await bus.subscribe<KeeperAlive>(keeperAliveSubject, (reported) =>
      this.#hear(reported),
    );
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    this.#stop = null;
  }

  say(owns: readonly number[], leaving = false): void {
    const { bus, keeperId } = this.#settings;
    const reported: KeeperAlive = { keeperId, owns, ...(leaving ? { leaving } : {}) };
    bus.publish<KeeperAlive>(keeperAliveSubject, reported);
  }

  /** In one order on every keeper, this one included. */
  living(): readonly string[] {
    for (const id of this.#others.keys()) if (!this.isAlive(id)) this.#others.delete(id);
    return [this.#settings.keeperId, ...this.#others.keys()].sort();
  }

  /**
   * Silence counts from the moment at which this keeper could receive: after a lost line every
   * keeper gets the full grace.
   */
  isAlive(keeperId: string): boolean {
    const { now, silentMs } = this.#settings;
    if (keeperId === this.#settings.keeperId) return true;
    const latest = now() - silentMs;
    const isSeen = (this.#others.get(keeperId)?.seenAt ?? Number.NEGATIVE_INFINITY) > latest;
    return isSeen || this.#listeningSince > latest || this.#echoAt <= latest;
  }

  /** Another running keeper that claims to own the partition. */
  ownerOf(partition: number): string | null {
    for (const [id, { owns }] of this.#others) {
      if (owns.has(partition) && this.isAlive(id)) return id;
    }
    return null;
  }

  #hear({ keeperId, owns, leaving }: KeeperAlive): void {
    const { now, silentMs, onChange } = this.#settings;
    if (keeperId === this.#settings.keeperId) {
      if (now() - this.#echoAt > silentMs) this.#listeningSince = now();
      this.#echoAt = now();
      return;
    }
    const known = this.#others.get(keeperId);
    if (leaving === true) this.#others.delete(keeperId);
    else this.#others.set(keeperId, { seenAt: now(), owns: new Set(owns) });
    const isSame = known !== undefined && leaving !== true && hasExactly(known.owns, owns);
    if (!isSame) onChange();
  }
}

const hasExactly = (set: ReadonlySet<number>, list: readonly number[]): boolean =>
  set.size === list.length && list.every((item) => set.has(item));
