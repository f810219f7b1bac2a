import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import type { Scheduler } from './scheduler.ts';

type Waiting = Readonly<{ from: Machine; to: Machine; deliver: () => void }>;
type Line = {
  /** While there is one, packets are lost; both ends learn of the first. */
  breaks: number;
  /** While there is one, packets wait and arrive late. */
  holds: number;
  /** Rises with each break: what was under way then is lost. */
  connection: number;
  /** Nothing overtakes on one connection: when the newest message of each direction arrives. */
  readonly lastAt: Map<Machine, number>;
  readonly held: Waiting[];
  slowMs: number;
  readonly watchers: Set<(isUp: boolean) => void>;
};

type Latency = Readonly<{ lowMs: number; highMs: number }>;

type Needs = Readonly<{
  scheduler: Scheduler;
  dice: Dice;
  latency: Latency;
  onSent: ((from: Machine, to: Machine, arrivesAt: number) => void) | null;
}>;

/** Connections between machines: in order, with latency, and at the mercy of the nemesis. */
export class Network {
  readonly #needs: Needs;
  readonly #lines = new Map<Machine, Map<Machine, Line>>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Delivers to the process that runs at `to` now, unless the line breaks before. */
  send(from: Machine, to: Machine, task: () => void): void {
    const line = this.#line(from, to);
    const deliver = to.bind(task);
    if (line.breaks > 0) return;
    if (line.holds > 0) line.held.push({ from, to, deliver });
    else this.#transmit(line, { from, to, deliver });
  }

  isUp(a: Machine, b: Machine): boolean {
    return this.#line(a, b).breaks === 0;
  }

  /** Called when the connection breaks and when it can be opened again. */
  watch(a: Machine, b: Machine, watcher: (isUp: boolean) => void): () => void {
    const { watchers } = this.#line(a, b);
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  /** Until what it answers is called; of holds and breaks that overlap, all have to end. */
  hold(a: Machine, b: Machine): () => void {
    const line = this.#line(a, b);
    line.holds += 1;
    return () => {
      line.holds -= 1;
      this.#release(line);
    };
  }

  break(a: Machine, b: Machine): () => void {
    const line = this.#line(a, b);
    line.breaks += 1;
    if (line.breaks === 1) {
      this.#lose(line);
      for (const watcher of [...line.watchers]) watcher(false);
    }
    return () => {
      line.breaks -= 1;
      if (line.breaks > 0) return;
      for (const watcher of [...line.watchers]) watcher(true);
    };
  }

  /** What is under way is lost; the connection can be opened again at once. */
  reset(a: Machine, b: Machine): void {
    const line = this.#line(a, b);
    if (line.breaks > 0) return;
    this.#lose(line);
    for (const watcher of [...line.watchers]) watcher(false);
    for (const watcher of [...line.watchers]) watcher(true);
  }

  slow(a: Machine, b: Machine, ms: number): () => void {
    const line = this.#line(a, b);
    line.slowMs += ms;
    return () => {
      line.slowMs -= ms;
    };
  }

  #release(line: Line): void {
    if (line.holds > 0) return;
    for (const waiting of line.held.splice(0)) this.#transmit(line, waiting);
  }

  #lose(line: Line): void {
    line.connection += 1;
    line.held.length = 0;
    line.lastAt.clear();
  }

  #transmit(line: Line, { from, to, deliver }: Waiting): void {
    const { scheduler, dice, latency, onSent } = this.#needs;
    const takes = dice.between(latency.lowMs, latency.highMs);
    const delay = line.slowMs === 0 ? 0 : dice.between(0, line.slowMs);
    const at = Math.max(scheduler.now + takes + delay, line.lastAt.get(to) ?? 0);
    line.lastAt.set(to, at);
    const { connection } = line;
    scheduler.inOrder(at, () => {
      if (line.connection === connection) deliver();
    });
    onSent?.(from, to, at);
  }

  #line(a: Machine, b: Machine): Line {
    const [first, second] = a.name < b.name ? [a, b] : [b, a];
    let ofFirst = this.#lines.get(first);
    if (ofFirst === undefined) {
      ofFirst = new Map();
      this.#lines.set(first, ofFirst);
    }
    let line = ofFirst.get(second);
    if (line === undefined) {
      line = {
        breaks: 0,
        holds: 0,
        connection: 0,
        lastAt: new Map(),
        held: [],
        slowMs: 0,
        watchers: new Set(),
      };
      ofFirst.set(second, line);
    }
    return line;
  }
}
