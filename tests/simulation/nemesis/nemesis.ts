import type { Action } from '../history.ts';
import type { World } from '../world/world.ts';
import { type Deed, disturbMachine } from './machines.ts';
import { emptyBus, fillBus, fillLog, restartBus, restartLog } from './servers.ts';

type LineAction = Extract<Action, { a: string; b: string }>;

/** A shrunk history may name a machine that its site does not have. */
const disturbLine = (world: World, action: LineAction): Deed => {
  const { network } = world;
  const a = world.machine(action.a);
  const b = world.machine(action.b);
  if (a === null || b === null) return null;
  switch (action.kind) {
    case 'hold':
      return network.hold(a, b);
    case 'break':
      return network.break(a, b);
    case 'slow':
      return network.slow(a, b, action.byMs);
    case 'reset':
      network.reset(a, b);
      return null;
  }
};

/** Actions of the people who run the site are not the nemesis's; they answer null here. */
const disturb = (world: World, action: Action): Deed => {
  if ('a' in action) return disturbLine(world, action);
  if ('machine' in action) return disturbMachine(world, action);
  switch (action.kind) {
    case 'restart-bus':
      return restartBus(world, action.agoMs);
    case 'empty-bus':
      return emptyBus(world);
    case 'restart-log':
      return restartLog(world);
    case 'fill-bus':
      return fillBus(world);
    case 'fill-log':
      return fillLog(world);
    default:
      return null;
  }
};

/** Applies the faults of the history to the machines, and heals them all when it is over. */
export class Nemesis {
  readonly #world: World;
  readonly #open = new Set<() => void>();
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** True when it was the nemesis's. */
  begin(action: Action): boolean {
    const world = this.#world;
    const mend = disturb(world, action);
    if (mend === null) {
      if (action.kind !== 'jump-clock' && action.kind !== 'reset') return false;
      world.disturbed();
      world.note('nemesis', JSON.stringify(action));
      return true;
    }
    world.note('nemesis', JSON.stringify(action));
    world.disturbances += 1;
    const end = (): void => {
      if (!this.#open.delete(end)) return;
      mend();
      world.disturbances -= 1;
      world.disturbed();
      world.note('nemesis', `${action.kind} is over`);
    };
    this.#open.add(end);
    if ('forMs' in action) world.scheduler.after(action.forMs, end);
    return true;
  }

  /** Everything is put right. */
  end(): void {
    for (const end of [...this.#open]) end();
    for (const host of this.#world.hosts) {
      host.machine.resume();
      host.start();
    }
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }
}
