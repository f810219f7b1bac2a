import type { Timer, Timers } from '../../infra/ports/timers.ts';

type Task = { readonly run: () => void; readonly everyMs: number | null; at: number };

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Time that stands still until a test moves it. */
export class VirtualTimers implements Timers {
  #now = 0;
  readonly #tasks = new Map<Timer, Task>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): Timer {
    return this.#add({ run, everyMs: null, at: this.#now + ms });
  }

  setInterval(run: () => void, ms: number): Timer {
    return this.#add({ run, everyMs: ms, at: this.#now + ms });
  }

  setImmediate(run: () => void): void {
    setImmediate(run);
  }

  clear(timer: Timer | null): void {
    if (timer !== null) this.#tasks.delete(timer);
  }

  /** Lets so much time pass, and everything happen that waits for nothing else. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#settle();
    for (let next = this.#next(end); next !== null; next = this.#next(end)) {
      const [timer, task] = next;
      this.#now = Math.max(this.#now, task.at);
      if (task.everyMs === null) this.#tasks.delete(timer);
      else task.at += task.everyMs;
      task.run();
      await this.#settle();
    }
    this.#now = end;
  }

  #add(task: Task): Timer {
    const timer: Timer = { unref: () => timer };
    this.#tasks.set(timer, task);
    return timer;
  }

  #next(end: number): readonly [Timer, Task] | null {
    let first: readonly [Timer, Task] | null = null;
    for (const entry of this.#tasks) {
      if (entry[1].at <= end && (first === null || entry[1].at < first[1].at)) first = entry;
    }
    return first;
  }

  /** Promises and immediates that lead to each other. */
  async #settle(): Promise<void> {
    for (let turns = 0; turns < 4; turns += 1) await turn();
  }
}
