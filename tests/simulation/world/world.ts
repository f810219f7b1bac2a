import type { Recorded } from '../../../domain/shared/event.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { NatsServer } from '../bus/nats-server.ts';
import { SimDatabase } from '../database/sim-database.ts';
import { SimDisk } from '../disk/sim-disk.ts';
import {
  type History,
  hasBatches,
  hasPolls,
  keeperName,
  type LeaseTimes,
  type ModelPrice,
  projectionsName,
  relayName,
} from '../history.ts';
import { LogServer } from '../log/log-server.ts';
import { SimLog } from '../log/sim-log.ts';
import { Truth } from '../oracle/truth.ts';
import { ControlProcess } from '../site/control-process.ts';
import { found } from '../site/founding.ts';
import { usualLeases } from '../site/limits.ts';
import { type Process, ProcessHost } from '../site/process-host.ts';
import { type DatabaseServer, ProjectionsProcess } from '../site/projections-process.ts';
import { Provider } from '../site/provider.ts';
import { RelayProcess } from '../site/relay-process.ts';
import { createDice, type Dice } from './dice.ts';
import { Machine } from './machine.ts';
import { Network } from './network.ts';
import { Scheduler } from './scheduler.ts';

/** Sees what happens, for the picture of a history. */
export interface Watcher {
  begin(now: () => number): void;
  message(from: string, to: string, sentAt: number, arrivesAt: number): void;
  /** Events were appended to the log. */
  stored(events: readonly Recorded[]): void;
  note(machine: string, text: string): void;
  logger(machine: string): Logger;
}

const steady = { offsetMs: 0, drift: 0 };

export type RelayHost = Readonly<{ host: ProcessHost; disk: SimDisk; current: () => RelayProcess }>;
export type ProjectionsHost = Readonly<{
  host: ProcessHost;
  current: () => ProjectionsProcess;
}>;
export type KeeperHost = Readonly<{ host: ProcessHost; current: () => ControlProcess }>;

/** Milliseconds of the history, both included. */
export type Span = Readonly<{ from: number; to: number }>;

/** All machines of one site, the lines between them, and the truth about what they did. */
export class World {
  readonly history: History;
  readonly leases: LeaseTimes;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly truth = new Truth();
  readonly log: LogServer;
  readonly bus: NatsServer;
  readonly outside: Machine;
  readonly provider: Provider;
  readonly keepers: readonly KeeperHost[];
  readonly relays: readonly RelayHost[];
  /** Where the read models are, and who writes them; none in most histories. */
  readonly store: DatabaseServer | null;
  readonly projections: ProjectionsHost | null;
  readonly dice: Dice;
  /** As the operator has set them last. */
  readonly prices: ModelPrice[];
  /** Uncaught errors. */
  readonly faults: string[] = [];
  /** Tokens that relays have as deleted. */
  readonly closedTokens = new Set<number>();
  /** Relays whose journals were damaged on purpose, by index. */
  readonly damaged = new Set<number>();
  /** Of relays whose machines lost their power: when what they booked may have been in memory alone. */
  readonly unsynced = new Map<number, Span[]>();
  /** Since when the disk of a relay has been full. */
  readonly fullSince = new Map<number, number>();
  /** The log is the one of a backup. */
  isLogRestored = false;
  /** Things that are out of order now. */
  disturbances = 0;
  #lastDisturbedAt = Number.NEGATIVE_INFINITY;
  readonly #machines = new Map<string, Machine>();
  readonly #watcher: Watcher | null;

  constructor(history: History, watcher: Watcher | null) {
    this.history = history;
    this.#watcher = watcher;
    this.leases = history.setup.leases ?? usualLeases;
    this.dice = createDice(history.seed);
    this.prices = [...history.setup.models];
    this.scheduler = new Scheduler(this.dice.fork('order'));
    this.network = new Network({
      scheduler: this.scheduler,
      dice: this.dice.fork('latency'),
      latency: history.setup.latency,
      onSent:
        watcher === null
          ? null
          : (from, to, at) => watcher.message(from.name, to.name, this.scheduler.now, at),
    });
    const now = (): number => this.scheduler.now;
    this.outside = this.#server('customers');
    this.provider = new Provider(this.#server('provider'), this.network);
    const log = new SimLog();
    found(log, history);
    if (watcher !== null) {
      watcher.begin(now);
      log.listen((events) => watcher.stored(events));
    }
    this.log = new LogServer(log, this.#server('log'), { network: this.network, now });
    this.bus = new NatsServer(this.#server('bus'), now);
    const { setup } = history;
    this.keepers = Array.from({ length: setup.keepers }, (_, nth) => this.#keeper(keeperName(nth)));
    this.relays = Array.from({ length: setup.relays }, (_, nth) => this.#relay(relayName(nth)));
    this.store = setup.projections
      ? { database: new SimDatabase(now), machine: this.#server('database') }
      : null;
    this.projections = this.store === null ? null : this.#projections(this.store);
  }

  get machines(): readonly Machine[] {
    return [...this.#machines.values()];
  }

  machine(name: string): Machine | null {
    return this.#machines.get(name) ?? null;
  }

  /** Since when everything has been in order; now while something is not. */
  get calmSince(): number {
    const isCalm = this.disturbances === 0 && this.hosts.every(({ isReady }) => isReady);
    return isCalm ? this.#lastDisturbedAt : this.scheduler.now;
  }

  disturbed(): void {
    this.#lastDisturbedAt = this.scheduler.now;
  }

  get hosts(): readonly ProcessHost[] {
    const projections = this.projections === null ? [] : [this.projections];
    return [...this.keepers, ...this.relays, ...projections].map(({ host }) => host);
  }

  note(machine: string, text: string): void {
    this.#watcher?.note(machine, text);
  }

  /** The machine's connections break, and whoever called it learns nothing more. */
  disconnect(machine: Machine): void {
    for (const other of this.#machines.values()) {
      if (other !== machine) this.network.reset(machine, other);
    }
    const nth = this.relays.findIndex(({ host }) => host.machine === machine);
    for (const call of this.truth.calls) {
      if (call.outcome === 'pending' && call.plan.relay === nth) call.outcome = 'lost';
    }
  }

  #keeper(name: string): KeeperHost {
    const machine = this.#newMachine(name);
    const { network, bus, log } = this;
    const leaseTtlMs = this.leases.ttlMs;
    const provider = hasPolls(this.history) ? this.provider : null;
    const withBatches = hasBatches(this.history);
    const logger = this.#logger(name);
    let current: ControlProcess | null = null;
    const host: ProcessHost = this.#host(machine, () => {
      const exit = (): void => host.die();
      const site = { machine, network, bus, log, logger };
      const polls = { provider, hasBatches: withBatches };
      current = new ControlProcess({ ...site, ...polls, leaseTtlMs, exit });
      return current;
    });
    return { host, current: () => current ?? missing(name) };
  }

  #relay(name: string): RelayHost {
    const machine = this.#newMachine(name);
    const disk = new SimDisk(machine, this.dice.fork(`${name}/disk`));
    const { network, bus, log, provider, scheduler, truth, closedTokens } = this;
    const { preConsumedTokens } = this.history.setup;
    const { prices, leases } = this;
    const logger = this.#logger(name);
    const now = (): number => scheduler.now;
    const site = { machine, network, bus, disk, provider, log, logger };
    const polls = { hasBatches: hasBatches(this.history) };
    const needs = {
      ...site,
      ...polls,
      preConsumedTokens,
      leases,
      now,
      truth,
      prices,
      closedTokens,
    };
    let current: RelayProcess | null = null;
    const host = this.#host(machine, () => {
      current = new RelayProcess(needs);
      return current;
    });
    return { host, disk, current: () => current ?? missing(name) };
  }

  #projections(store: DatabaseServer): ProjectionsHost {
    const machine = this.#newMachine(projectionsName);
    const { network, bus, log } = this;
    const logger = this.#logger(projectionsName);
    let current: ProjectionsProcess | null = null;
    const host = this.#host(machine, () => {
      current = new ProjectionsProcess({ machine, network, bus, log, store, logger });
      return current;
    });
    return { host, current: () => current ?? missing(projectionsName) };
  }

  #host(machine: Machine, create: () => Process): ProcessHost {
    const { scheduler } = this;
    return new ProcessHost({
      machine,
      scheduler,
      create,
      onGone: () => this.disconnect(machine),
      onBack: () => this.disturbed(),
    });
  }

  #server(name: string): Machine {
    const machine = this.#newMachine(name);
    machine.boot();
    return machine;
  }

  #newMachine(name: string): Machine {
    const machine = new Machine({
      name,
      scheduler: this.scheduler,
      dice: this.dice.fork(name),
      clock: this.history.setup.clocks[name] ?? steady,
      onFault: (at, error) => this.#fault(at, error),
    });
    this.#machines.set(name, machine);
    return machine;
  }

  #fault(machine: Machine, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.faults.push(`${machine.name}: ${text}`);
    this.hosts.find(({ machine: hosted }) => hosted === machine)?.die();
  }

  #logger(name: string): Logger {
    return this.#watcher?.logger(name) ?? silentLogger;
  }
}

const missing = (name: string): never => {
  throw new Error(`${name} never ran`);
};
