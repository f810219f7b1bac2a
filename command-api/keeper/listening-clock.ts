import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Timers } from '../../infra/ports/timers.ts';

/** Received by every keeper; each filters for its own. */
type KeeperListening = Readonly<{ listenerId: string }>;

const subject = 'keeper.listening';

type Settings = Readonly<{
  bus: Bus;
  timers: Timers;
  /** Names this life of the keeper. */
  listenerId: string;
  /** Milliseconds between two calls of `heartbeat`. */
  heartbeatEveryMs: number;
}>;

/**
 * The time during which this keeper was connected to relays: monotonic milliseconds that stop while
 * its process is paused or its line to the bus is cut. Silence of a relay is measured on it, so
 * that a keeper which was away takes no relay for dead. It runs from one of the keeper's own
 * heartbeats, received over the bus, to the next.
 */
export class ListeningClock {
  readonly #settings: Settings;
  #connectedMs = 0;
  #lastHeartbeatAt: number | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  now(): number {
    return this.#connectedMs + this.#sinceHeartbeatMs();
  }

  start(): Promise<Stop> {
    const { bus, timers, listenerId } = this.#settings;
    return bus.subscribe<KeeperListening>(subject, (heartbeat) => {
      if (heartbeat.listenerId !== listenerId) return;
      this.#connectedMs += this.#sinceHeartbeatMs();
      this.#lastHeartbeatAt = timers.now();
    });
  }

  heartbeat(): void {
    const { bus, listenerId } = this.#settings;
    bus.publish<KeeperListening>(subject, { listenerId });
  }

  /** A longer gap is one in which no message arrived. */
  #sinceHeartbeatMs(): number {
    if (this.#lastHeartbeatAt === null) return 0;
    const { timers, heartbeatEveryMs } = this.#settings;
    return Math.min(timers.now() - this.#lastHeartbeatAt, 2 * heartbeatEveryMs);
  }
}
