import type { Machine } from '../world/machine.ts';
import type { Scheduler } from '../world/scheduler.ts';

/** What runs on a machine: one process at a time. */
export interface Process {
  start(): Promise<void>;
  /** As at SIGTERM. */
  stop(): Promise<void>;
}

type Needs = Readonly<{
  machine: Machine;
  scheduler: Scheduler;
  /** A new process on the machine. */
  create: () => Process;
  /** The machine's connections break. */
  onGone: () => void;
  /** A process that took another's place has started. */
  onBack: () => void;
}>;

/** A supervisor waits so long before it starts a process again that has died. */
const restartMs = 500;
/** A process that does not stop by itself is killed. */
const stopPatienceMs = 15_000;

/** Starts, stops and kills the process of one machine, as a supervisor and the nemesis do. */
export class ProcessHost {
  readonly machine: Machine;
  readonly #needs: Needs;
  #process: Process | null = null;
  #isReady = false;
  #isWanted = true;
  starts = 0;
  /** When its newest process could last do anything, milliseconds of the history. */
  endedAt = Number.NEGATIVE_INFINITY;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.machine = needs.machine;
  }

  /** The process has started. */
  get isReady(): boolean {
    return this.#isReady && this.machine.isUp;
  }

  start(): void {
    this.#isWanted = true;
    if (this.machine.isUp) return;
    this.machine.boot();
    this.starts += 1;
    const { life } = this.machine;
    this.#run().then(
      () => {
        if (this.machine.life !== life) return;
        this.#isReady = true;
        if (this.starts > 1) this.#needs.onBack();
      },
      () => {
        if (this.machine.life === life) this.die();
      },
    );
  }

  /** What a constructor throws ends the process as well. */
  async #run(): Promise<void> {
    this.#process = this.#needs.create();
    await this.#process.start();
  }

  /** Dies of itself: the supervisor starts it again. */
  die(): void {
    this.kill();
    this.#needs.scheduler.after(restartMs, () => {
      if (this.#isWanted) this.start();
    });
  }

  /** Stays away until it is started. */
  kill(): void {
    if (!this.machine.isUp) return;
    this.endedAt = this.machine.lastActiveAt;
    this.machine.crash();
    this.#process = null;
    this.#isReady = false;
    this.#needs.onGone();
  }

  halt(): void {
    this.#isWanted = false;
    this.kill();
  }

  /** In order; killed when it takes too long. */
  stop(): void {
    this.#isWanted = false;
    const process = this.#process;
    if (process === null || !this.machine.isUp) return;
    const { life } = this.machine;
    const end = (): void => {
      if (this.machine.life === life) this.kill();
    };
    this.#isReady = false;
    process.stop().then(end, end);
    this.#needs.scheduler.after(stopPatienceMs, end);
  }
}
