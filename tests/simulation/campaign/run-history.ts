import { createHash } from 'node:crypto';
import type { Action, ActionKind, CallPlan, History } from '../history.ts';
import { Nemesis } from '../nemesis/nemesis.ts';
import { ChargeCheck } from '../oracle/charges.ts';
import { checkCorrections } from '../oracle/corrections.ts';
import { Ledger } from '../oracle/ledger.ts';
import { OverdraftCheck } from '../oracle/overdraft.ts';
import { RefusalCheck } from '../oracle/refusals.ts';
import { Rest } from '../oracle/rest.ts';
import { tamper } from '../oracle/tampering.ts';
import { TaskCheck } from '../oracle/tasks.ts';
import { verdictOn } from '../oracle/verdict.ts';
import { type Violation, Violations } from '../oracle/violations.ts';
import { sendCall } from '../site/customers.ts';
import { probedBy } from '../site/founding.ts';
import { Operator } from '../site/operator.ts';
import { Recorder } from '../trace/recorder.ts';
import type { Trace } from '../trace/trace.ts';
import { type Watcher, World } from '../world/world.ts';

export type Outcome = Readonly<{
  violations: readonly Violation[];
  /** Of the whole run, so that two runs of one history can be compared. */
  digest: () => string;
  calls: Readonly<Record<string, number>>;
  /** Those that took place, by kind. */
  actions: Readonly<Record<string, number>>;
  charges: number;
  events: number;
  /** Virtual time. */
  lastedMs: number;
}>;

/** Processes are up before the first call by default. */
const usualBootMs = 1_500;

const restoreMs = 1_200;

const probePlan: Omit<CallPlan, 'customer' | 'relay'> = {
  at: 0,
  token: 0,
  model: 0,
  promptTokens: 10,
  promptEstimate: 10,
  cachedTokens: 0,
  outputTokens: 10,
  limit: 10,
  chunks: 0,
  takesMs: 50,
  fate: 'served',
  leavesAfterMs: null,
};

/** Read models that are not where the log is. */
const lateReadModels = ({ store, projections, log }: World): readonly string[] => {
  if (store === null || projections === null) return [];
  const { head } = log.log;
  const { checkpoints } = store.database;
  const { names, failed } = projections.current();
  // What an open transaction wrote is seen here before it is committed.
  const late = names.filter(
    (name) => checkpoints.get(name)?.at?.position !== head || store.database.locks.has(name),
  );
  return [...late, ...failed()];
};

/** Everything that happened in its order, every event as it was stored, and what customers saw. */
const digestOf = ({ scheduler, log, truth }: World): string => {
  const hash = createHash('sha256').update(
    `${scheduler.count}/${scheduler.now}/${scheduler.trace}`,
  );
  for (const { position, ...recorded } of log.log.all) {
    hash.update(`${position} ${recorded.revision} ${recorded.streamId} ${recorded.eventId}`);
    hash.update(JSON.stringify([recorded.event, recorded.metadata]));
  }
  for (const { requestId, outcome, due, bookedAt } of truth.calls) {
    hash.update(`${requestId} ${outcome} ${due} ${bookedAt}`);
  }
  return hash.digest('hex');
};

/** One history from its first process to the verdict on its log. */
class Run {
  readonly world: World;
  readonly #ledger: Ledger;
  readonly #violations = new Violations();
  readonly #done: Record<string, number> = {};
  readonly #nemesis: Nemesis;
  readonly #operator: Operator;
  readonly #charges: ChargeCheck;
  readonly #overdraft: OverdraftCheck;
  readonly #refusals: RefusalCheck;
  readonly #tasks: TaskCheck;
  readonly #rest: Rest;

  constructor(history: History, watcher: Watcher | null) {
    const world = new World(history, watcher);
    const { scheduler, log } = world;
    this.world = world;
    this.#ledger = new Ledger(log.log, () => scheduler.now);
    this.#nemesis = new Nemesis(world);
    this.#operator = new Operator(world, this.#ledger);
    this.#charges = new ChargeCheck(world, this.#ledger, this.#violations);
    this.#overdraft = new OverdraftCheck(world, this.#ledger, this.#violations);
    this.#refusals = new RefusalCheck(world, this.#ledger, this.#violations);
    this.#tasks = new TaskCheck(world, this.#ledger);
    this.#rest = new Rest({
      world,
      ledger: this.#ledger,
      charges: this.#charges,
      operator: this.#operator,
      tasks: this.#tasks,
      lateReadModels: () => lateReadModels(world),
    });
  }

  async run(): Promise<Outcome> {
    const { scheduler, hosts, history } = this.world;
    const { bootMs = usualBootMs } = history.setup;
    for (const host of hosts) host.start();
    for (const plan of history.calls) {
      scheduler.after(bootMs + plan.at, () => void sendCall(this.world, plan));
    }
    for (const [index, action] of history.actions.entries()) {
      scheduler.after(bootMs + action.at, () => this.#act(action, index));
    }
    await scheduler.runUntil(bootMs + history.setup.lengthMs);
    this.#nemesis.end();
    if (await this.#rest.reached()) await this.#probe();
    else this.#rest.blame(this.#violations);
    await this.#judge();
    return this.#outcome();
  }

  #act(action: Action, index: number): void {
    if (this.#takesPlace(action, index)) this.#count(action.kind);
  }

  #count(kind: ActionKind): void {
    this.#done[kind] = (this.#done[kind] ?? 0) + 1;
  }

  #takesPlace(action: Action, index: number): boolean {
    switch (action.kind) {
      case 'tamper':
        return false;
      case 'restore-read-models':
        return this.#restoreReadModels(action.agoMs);
      case 'restore-log':
        return this.#restoreLog(action.agoMs);
      default:
        return this.#nemesis.begin(action) || this.#operator.act(action, index);
    }
  }

  /** The backup of some seconds ago replaces the log; every client reconnects. */
  #restoreLog(agoMs: number): true {
    const { log, scheduler, network, hosts } = this.world;
    this.world.note('nemesis', `the log is ${agoMs} ms older`);
    this.world.isLogRestored = true;
    this.#charges.beforeRestore();
    this.#overdraft.isOff = true;
    this.#refusals.isOff = true;
    log.restore(scheduler.now - agoMs);
    this.#ledger.restart(log.log);
    // No store restores a backup and starts within less.
    const mend = hosts.map(({ machine }) => network.break(machine, log.machine));
    this.world.disturbances += 1;
    scheduler.after(restoreMs, () => {
      for (const heal of mend) heal();
      this.world.disturbances -= 1;
      this.world.disturbed();
    });
    return true;
  }

  /** The database starts with what a backup of some seconds ago held. */
  #restoreReadModels(agoMs: number): boolean {
    const { store, projections, scheduler, network } = this.world;
    if (store === null || projections === null) return false;
    this.world.note('nemesis', `the read models are ${agoMs} ms older`);
    network.reset(projections.host.machine, store.machine);
    store.database.restore(scheduler.now - agoMs);
    return true;
  }

  /** The site works: a call for each partition is answered and charged. */
  async #probe(): Promise<void> {
    const { relays, history } = this.world;
    const probes = probedBy(history.setup);
    for (const [nth, customer] of probes.entries()) {
      sendCall(this.world, { ...probePlan, customer, relay: nth % relays.length });
    }
    if (!(await this.#rest.reached())) this.#rest.blame(this.#violations);
    for (const { plan, outcome, requestId } of this.world.truth.calls) {
      if (!probes.includes(plan.customer) || outcome === 'answered') continue;
      this.#violations.add('stalled', `at rest, ${requestId} is ${outcome}`);
    }
  }

  async #judge(): Promise<void> {
    const { faults, history } = this.world;
    this.#charges.check();
    this.#tasks.check(this.#violations);
    checkCorrections(this.#ledger, this.#violations);
    this.#rest.blameCredits(this.#violations);
    for (const fault of faults) this.#violations.add('process-fault', fault);
    const { breaks, notes } = await verdictOn(this.world);
    const lost = this.#charges.lostToDamage();
    // Where the journal is gone as a whole, only that its relay was given up can be detected.
    const isNoted = (relayId: string): boolean => notes.some((note) => note.includes(relayId));
    const untold = lost.filter(({ relayLife }) => !isNoted(relayLife));
    // A restored log and a journal that is gone: no record is left.
    if (untold.length > 0 && breaks.length === 0 && !this.world.isLogRestored) {
      const detail = `a damaged journal lost ${lost.length} charges, verify says all is well`;
      this.#violations.add('verify-misses', detail);
    }
    if (lost.length === 0) {
      for (const { kind, detail } of breaks) {
        if (kind === 'usage-missing' && this.#isMissedRightly(detail)) continue;
        this.#violations.add('verify-finds', `${kind}: ${detail}`);
      }
    }
    // One forgery may hide another: each history has one.
    const forgery = history.actions.find((action) => action.kind === 'tamper');
    if (forgery !== undefined) await this.#tamper(forgery);
  }

  /** Numbers of records that are gone, and that verify has to name though they were no charges. */
  #isMissedRightly(detail: string): boolean {
    const { damaged, isLogRestored, relays } = this.world;
    // What the restored log does not hold any more was settled once.
    if (isLogRestored) return true;
    // A damaged journal may have held a return of quota.
    return [...damaged].some((index) => detail.includes(`${relays[index]?.host.machine.name}-`));
  }

  async #tamper({ what }: Extract<Action, { kind: 'tamper' }>): Promise<void> {
    if (!tamper(this.world, what)) return;
    this.#count('tamper');
    const { breaks } = await verdictOn(this.world);
    if (breaks.length > 0) return;
    // A charge of a producer that is missing in the restored log has no number that could be
    // missed.
    if (what === 'remove-last-charge' && this.world.isLogRestored) return;
    this.#violations.add('verify-misses', `tampered with: ${what}`);
  }

  #outcome(): Outcome {
    const { truth, log, scheduler } = this.world;
    const calls: Record<string, number> = {};
    for (const { outcome } of truth.calls) calls[outcome] = (calls[outcome] ?? 0) + 1;
    return {
      violations: this.#violations.found,
      digest: () => digestOf(this.world),
      calls,
      actions: this.#done,
      charges: [...this.#ledger.books].reduce((sum, { charges }) => sum + charges.length, 0),
      events: log.log.all.length,
      lastedMs: scheduler.now,
    };
  }
}

export const runHistory = (history: History): Promise<Outcome> => new Run(history, null).run();

/** The same, written down for the picture of it. */
export const traceHistory = async (
  history: History,
): Promise<Readonly<{ outcome: Outcome; trace: Trace }>> => {
  const recorder = new Recorder();
  const run = new Run(history, recorder);
  const outcome = await run.run();
  return { outcome, trace: recorder.trace(run.world) };
};
