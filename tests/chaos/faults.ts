import { setTimeout as pause } from 'node:timers/promises';
import { ownEventStore } from '../support/cluster/engines.ts';
import type { Line } from '../support/cluster/line.ts';
import type { Machine } from '../support/cluster/machine.ts';
import type { Member } from '../support/cluster/member.ts';
import type { Cluster } from '../support/cluster.ts';
import type { NatsServer } from '../support/nats-server.ts';

/** One fault, from its beginning until it is put right. */
export type Fault = Readonly<{
  kind: string;
  /** Process or engine; faults of one target follow one another. */
  target: string;
  strike: () => Promise<void>;
}>;

export type FaultPlan = Readonly<{
  cluster: Cluster;
  nats: NatsServer;
  /** Of a lease, in milliseconds. */
  termMs: number;
  dice: () => number;
  onKill: (target: string) => void;
}>;

/** Milliseconds of a short disturbance: less than a term. */
const shortMs = 1_500;
const hourMs = 3_600_000;

const kill =
  ({ dice, onKill }: FaultPlan, member: Member, downMs = dice() * 1_000) =>
  async (): Promise<void> => {
    onKill(member.name);
    await member.kill(downMs);
  };

const shift =
  ({ dice }: FaultPlan, { shiftClock }: Machine, ms: number) =>
  async (): Promise<void> => {
    const hours = 1 + Math.floor(dice() * 11);
    shiftClock((dice() < 0.5 ? -1 : 1) * hours * hourMs);
    await pause(ms);
    shiftClock(0);
  };

const cut = (line: Line, ms: number) => async (): Promise<void> => {
  line.cut();
  await pause(ms);
  line.heal();
};

const slow = (line: Line, ms: number) => async (): Promise<void> => {
  line.delay(250);
  await pause(ms);
  line.delay(0);
};

/** What can befall any of the product's own processes. `longMs` outlasts what keepers wait for. */
const processFaults = (plan: FaultPlan, member: Member, longMs: number): readonly Fault[] => {
  const { cluster, termMs } = plan;
  const { name: target } = member;
  const kind = target.replace(/-\d+$/, '');
  const line = cluster.natsLines.get(target);
  const machine = cluster.machines.get(target);
  const faults: Fault[] = [
    { kind: `kill ${kind}`, target, strike: kill(plan, member) },
    { kind: `pause ${kind}`, target, strike: () => member.hang(longMs) },
    { kind: `pause ${kind} shortly`, target, strike: () => member.hang(shortMs) },
  ];
  if (machine !== undefined) {
    faults.push({ kind: `clock ${kind}`, target, strike: shift(plan, machine, termMs) });
  }
  if (line === undefined) return faults;
  faults.push({ kind: `cut ${kind}`, target, strike: cut(line, longMs) });
  faults.push({ kind: `slow line ${kind}`, target, strike: slow(line, termMs) });
  return faults;
};

/** The disk is full, and the relay is started on it: it finds no room for a journal. */
const journalFull = (plan: FaultPlan, member: Member): readonly Fault[] => {
  const machine = plan.cluster.machines.get(member.name);
  if (machine === undefined) return [];
  const strike = async (): Promise<void> => {
    machine.fillDisk();
    await pause(500);
    await kill(plan, member, 100)();
    await pause(plan.termMs + 1_000);
    machine.freeDisk();
  };
  return [{ kind: 'full disk relay', target: member.name, strike }];
};

const logDiskFull = ({ cluster, termMs }: FaultPlan): readonly Fault[] => {
  const { disk, ensurePostgres } = cluster.engines;
  if (disk === null) return [];
  const strike = async (): Promise<void> => {
    await disk.fill();
    await pause(termMs);
    disk.free();
    await ensurePostgres();
  };
  return [{ kind: 'full disk log', target: 'engines', strike }];
};

const natsFaults = ({ nats, termMs }: FaultPlan): readonly Fault[] => {
  const { restart, store, hang } = nats;
  const faults: Fault[] = [];
  const target = 'engines';
  if (restart !== null) faults.push({ kind: 'kill nats', target, strike: restart });
  if (hang !== undefined) {
    faults.push({ kind: 'pause nats', target, strike: () => hang(termMs) });
  }
  if (store === undefined || store === null) return faults;
  const rollBack = async (): Promise<void> => {
    await store.keep();
    await pause(termMs);
    await store.putBack();
  };
  return [...faults, { kind: 'roll back nats', target, strike: rollBack }];
};

const engineFaults = (plan: FaultPlan): readonly Fault[] => {
  const { engines } = plan.cluster;
  const target = 'engines';
  const eventStore = ownEventStore(engines);
  return [
    { kind: 'kill event-store', target, strike: kill(plan, eventStore, 500) },
    { kind: 'pause event-store', target, strike: () => eventStore.hang(plan.termMs) },
    { kind: 'kill postgres', target, strike: engines.restartPostgres },
    ...logDiskFull(plan),
    ...natsFaults(plan),
  ];
};

/** Every fault that this machine can produce. */
export const faultsFor = (plan: FaultPlan): readonly Fault[] => {
  const { cluster, termMs } = plan;
  // Keepers give the quota of a silent relay to others after two terms.
  const givenUpMs = 2 * termMs + 2_000;
  return [
    ...cluster.relays.flatMap((member) => processFaults(plan, member, givenUpMs)),
    ...cluster.relays.flatMap((member) => journalFull(plan, member)),
    ...cluster.commandApis.flatMap((member) => processFaults(plan, member, givenUpMs)),
    ...cluster.projections.flatMap((member) => processFaults(plan, member, termMs)),
    ...engineFaults(plan),
  ];
};
