import type { Clock } from '../../../infra/ports/clock.ts';
import type { Random } from '../../../infra/ports/random.ts';
import type { Timer, Timers } from '../../../infra/ports/timers.ts';
import type { Dice } from './dice.ts';
import type { Entry, Scheduler } from './scheduler.ts';

/** When every history begins, by a clock that is right. */
export const epochMs = Date.parse('2026-03-01T08:00:00.000Z');

type MachineClock = Readonly<{
  /** How far the wall clock is ahead at the start, milliseconds. */
  offsetMs: number;
  /** Parts by which time passes too fast; both clocks of the machine share it. */
  drift: number;
}>;

type Needs = Readonly<{
  name: string;
  scheduler: Scheduler;
  dice: Dice;
  clock: MachineClock;
  /** Handler of a process that dies of an uncaught error. */
  onFault: (machine: Machine, error: unknown) => void;
}>;

class MachineTimer implements Timer {
  entry: Entry | null = null;
  unref(): Timer {
    return this;
  }
}

/**
 * A computer with one process. Pending requests of a process end with it: timers, answers,
 * messages. While it is paused everything waits, and its clocks continue.
 */
export class Machine {
  readonly name: string;
  readonly random: Random;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly #needs: Needs;
  #life = 0;
  #pausedAt = 0;
  #isUp = false;
  #isPaused = false;
  #deferred: (() => void)[] = [];
  #bootedAt = 0;
  #jumpedMs = 0;
  #immediateAt = 0;

  constructor(needs: Needs) {
    this.name = needs.name;
    this.#needs = needs;
    this.random = needs.dice;
    // Not assigned as a literal (`infra/decisions/0023`, "Memory that a scavenge cannot free").
    const clock = (): Date => new Date(this.#wallMs());
    this.clock = clock;
    this.timers = this.#createTimers();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Counts the processes that ran here. */
  get life(): number {
    return this.#life;
  }

  boot(): void {
    this.#life += 1;
    this.#isUp = true;
    this.#bootedAt = this.#needs.scheduler.now;
  }

  /** The process is gone between two events, as `kill -9` leaves it. */
  crash(): void {
    this.#life += 1;
    this.#isUp = false;
    this.#isPaused = false;
    this.#deferred = [];
  }

  pause(): void {
    if (!this.#isPaused) this.#pausedAt = this.#needs.scheduler.now;
    this.#isPaused = this.#isUp;
  }

  /** Milliseconds of the history: when its process could last do anything. */
  get lastActiveAt(): number {
    return this.#isPaused ? this.#pausedAt : this.#needs.scheduler.now;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const { scheduler } = this.#needs;
    for (const run of this.#deferred.splice(0)) scheduler.inOrder(scheduler.now, run);
  }

  /** Sets the wall clock; the monotonic one does not notice. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  /** A task of the process that runs now: it runs in that process or not at all. */
  bind(task: () => void): () => void {
    const life = this.#life;
    const run = (): void => {
      if (this.#life !== life) return;
      if (this.#isPaused) {
        this.#deferred.push(run);
        return;
      }
      try {
        task();
      } catch (error) {
        this.#needs.onFault(this, error);
      }
    };
    return run;
  }

  #wallMs(): number {
    const { clock, scheduler } = this.#needs;
    const passed = scheduler.now * (1 + clock.drift);
    return Math.floor(epochMs + passed + clock.offsetMs + this.#jumpedMs);
  }

  #createTimers(): Timers {
    const { scheduler, clock } = this.#needs;
    const rate = 1 + clock.drift;
    const start = (timer: MachineTimer, ms: number, task: () => void): void => {
      const run = this.bind(() => {
        // A pause may have kept it waiting until it was cleared.
        if (!entry.cancelled) task();
      });
      const entry = scheduler.after(Math.max(1, ms) / rate, run);
      timer.entry = entry;
    };
    return {
      now: () => (scheduler.now - this.#bootedAt) * rate,
      setTimeout: (task, ms) => {
        const timer = new MachineTimer();
        start(timer, ms, task);
        return timer;
      },
      setInterval: (task, ms) => {
        const timer = new MachineTimer();
        const tick = (): void => {
          start(timer, ms, tick);
          task();
        };
        start(timer, ms, tick);
        return timer;
      },
      setImmediate: (task) => {
        // A turn of the event loop takes some microseconds; immediates keep their order.
        this.#immediateAt = Math.max(this.#immediateAt, scheduler.now + 0.01);
        scheduler.inOrder(this.#immediateAt, this.bind(task));
      },
      clear: (timer) => {
        if (timer instanceof MachineTimer && timer.entry !== null) timer.entry.cancelled = true;
      },
    };
  }
}
