import type { Action } from '../history.ts';
import type { ProcessHost } from '../site/process-host.ts';
import type { RelayHost, Span, World } from '../world/world.ts';

/** What is done at once, and what ends it; null: it ends by itself. */
export type Deed = (() => void) | null;

type MachineAction = Extract<Action, { machine: string }>;

const hostOf = (world: World, name: string): ProcessHost | null =>
  world.hosts.find(({ machine }) => machine.name === name) ?? null;

const relayOf = (
  world: World,
  name: string,
): Readonly<{ relay: RelayHost; index: number }> | null => {
  const index = world.relays.findIndex(({ host }) => host.machine.name === name);
  const relay = world.relays[index];
  return relay === undefined ? null : { relay, index };
};

const killed = (host: ProcessHost): Deed => {
  host.halt();
  return () => host.start();
};

/** What a disk may lose with its power: it is synced in groups. */
const syncGraceMs = 300;

/**
 * What a full disk refuses is in memory, and settled all the same: only a restored log loses it.
 */
const unsyncedSpan = (world: World, index: number, to: number): Span => {
  const fullSince = world.isLogRestored ? (world.fullSince.get(index) ?? to) : to;
  return { from: fullSince - syncGraceMs, to };
};

const powerless = (world: World, name: string): Deed => {
  const found = relayOf(world, name);
  const host = hostOf(world, name);
  if (host === null) return null;
  host.halt();
  if (found !== null) {
    found.relay.disk.losePower();
    const spans = world.unsynced.get(found.index) ?? [];
    world.unsynced.set(found.index, [...spans, unsyncedSpan(world, found.index, host.endedAt)]);
  }
  return () => host.start();
};

/**
 * A disk is damaged while its machine is down: a process would continue with what it has in memory.
 */
const damaged = (world: World, name: string, damage: 'flipBit' | 'loseFile'): Deed => {
  const found = relayOf(world, name);
  if (found === null) return null;
  const { host, disk } = found.relay;
  host.halt();
  const what = disk[damage]();
  if (what !== null) {
    world.damaged.add(found.index);
    world.note(name, `${damage} ${what}`);
  }
  return () => host.start();
};

const filled = (world: World, name: string): Deed => {
  const found = relayOf(world, name);
  if (found === null) return null;
  const { disk } = found.relay;
  disk.isFull = true;
  world.fullSince.set(found.index, world.scheduler.now);
  return () => {
    disk.isFull = false;
    world.fullSince.delete(found.index);
  };
};

const stopped = (host: ProcessHost): Deed => {
  host.stop();
  return () => {
    host.kill();
    host.start();
  };
};

const paused = (host: ProcessHost): Deed => {
  host.machine.pause();
  return () => host.machine.resume();
};

/** null: there is no such machine, or what was done has no end. */
export const disturbMachine = (world: World, action: MachineAction): Deed => {
  const host = hostOf(world, action.machine);
  if (host === null) return null;
  switch (action.kind) {
    case 'crash':
      return killed(host);
    case 'stop':
      return stopped(host);
    case 'pause':
      return paused(host);
    case 'lose-power':
      return powerless(world, action.machine);
    case 'fill-disk':
      return filled(world, action.machine);
    case 'flip-bit':
      return damaged(world, action.machine, 'flipBit');
    case 'lose-file':
      return damaged(world, action.machine, 'loseFile');
    case 'jump-clock':
      host.machine.jump(action.byMs);
      return null;
  }
};
