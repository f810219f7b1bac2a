import type { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import type { Deed } from './machines.ts';

const clientsOf = (world: World): readonly Machine[] => world.hosts.map(({ machine }) => machine);

/** Its lines break; what it does meanwhile is nothing. */
const away = (world: World, server: Machine, onBack: () => void): Deed => {
  const mend = clientsOf(world).map((client) => world.network.break(client, server));
  return () => {
    onBack();
    for (const heal of mend) heal();
  };
};

/** Starts with the state that it had synced at that time. */
export const restartBus = (world: World, agoMs: number): Deed =>
  away(world, world.bus.machine, () => world.bus.restart(agoMs));

/** Starts empty. */
export const emptyBus = (world: World): Deed =>
  away(world, world.bus.machine, () => world.bus.loseAll());

export const restartLog = (world: World): Deed => away(world, world.log.machine, () => undefined);

export const fillBus = (world: World): Deed => {
  world.bus.streams.isFull = true;
  return () => {
    world.bus.streams.isFull = false;
  };
};

export const fillLog = (world: World): Deed => {
  world.log.isFull = true;
  return () => {
    world.log.isFull = false;
  };
};
