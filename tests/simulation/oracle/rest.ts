import { redemptionStreamId } from '../../../domain/redemption/stream.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { ProcessAdvanced } from '../../../domain/shared/process.ts';
import type { Credit, Operator } from '../site/operator.ts';
import type { World } from '../world/world.ts';
import type { ChargeCheck } from './charges.ts';
import type { Ledger } from './ledger.ts';
import type { TaskCheck } from './tasks.ts';
import type { Violations } from './violations.ts';

type Needs = Readonly<{
  world: World;
  ledger: Ledger;
  charges: ChargeCheck;
  operator: Operator;
  tasks: TaskCheck;
  /** Read models that are behind the log; empty where there are none. */
  lateReadModels: () => readonly string[];
}>;

/** Everything has been put right: so long may it take until nothing moves any more. */
const patienceMs = 60_000;
/** The first check leaves clients the time to reconnect. */
const firstPollMs = 500;

/** Longer than clients wait before they connect again. */
const noticeMs = 2_000;

/** What keeps a site from being at rest, and how long it takes. */
export class Rest {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** True when all settled within the patience. */
  async reached(): Promise<boolean> {
    const { scheduler } = this.#needs.world;
    const end = scheduler.now + patienceMs;
    const nextPollMs = Math.min(firstPollMs, this.#needs.world.leases.idleMs / 2);
    let pollMs = firstPollMs;
    while (scheduler.now < end) {
      await scheduler.runUntil(scheduler.now + pollMs);
      if (!this.#isBusy()) return true;
      pollMs = nextPollMs;
    }
    return false;
  }

  /** What it still waits for; called when the patience is over. */
  blame(violations: Violations): void {
    const { world, ledger, lateReadModels } = this.#needs;
    for (const { requestId, outcome } of world.truth.calls) {
      if (outcome === 'pending') violations.add('stalled', `${requestId} has no answer`);
    }
    for (const { userId, leases } of ledger.books) {
      for (const [leaseId, { amount, spent }] of leases) {
        if (amount <= spent) continue;
        const detail = `account ${userId}: ${amount - spent} in lease ${leaseId}`;
        violations.add('reserved-at-rest', detail);
      }
    }
    const waiting = world.bus.streams.waiting();
    if (waiting > 0) violations.add('stalled', `${waiting} messages wait on the bus`);
    for (const { machine, isReady } of world.hosts) {
      if (!isReady) violations.add('stalled', `${machine.name} does not start`);
    }
    for (const name of this.#lateProcesses()) {
      violations.add('stalled', `${name} does not follow the log`);
    }
    for (const name of lateReadModels()) violations.add('stalled', `read model ${name} is behind`);
    this.blameCredits(violations);
  }

  /** A redeemed code was confirmed to a customer: its quota was credited, once. */
  blameCredits(violations: Violations): void {
    for (const { userId, code } of this.#owedCredits()) {
      violations.add('credit-lost', `code ${code} of user ${userId} was redeemed for nothing`);
    }
    for (const { userId, code, amount } of this.#needs.operator.credits) {
      const granted = this.#needs.ledger.book(userId).grants.get(String(code)) ?? 0;
      if (granted <= amount) continue;
      violations.add('credited-twice', `code ${code} of ${amount} brought ${granted}`);
    }
  }

  /** They were confirmed to customers, and the log still contains it. */
  #owedCredits(): readonly Credit[] {
    const { world, ledger, operator } = this.#needs;
    return operator.credits.filter(
      ({ userId, code, isConfirmed }) =>
        isConfirmed &&
        !ledger.book(userId).grants.has(String(code)) &&
        world.log.log
          .read(redemptionStreamId(code), {})
          .some(({ event }) => event.type === 'RedemptionRedeemed'),
    );
  }

  #isBusy(): boolean {
    const { world, ledger, charges, operator, tasks, lateReadModels } = this.#needs;
    if (this.#isLogNew() || operator.isWaiting) return true;
    if (world.truth.calls.some(({ outcome }) => outcome === 'pending')) return true;
    if (world.bus.streams.waiting() > 0) return true;
    if (world.hosts.some(({ isReady }) => !isReady)) return true;
    if (charges.missing().length > charges.lostToDamage().length) return true;
    for (const { leases } of ledger.books) if (leases.size > 0) return true;
    if (this.#isCheckpointAhead() || tasks.outstanding().length > 0) return true;
    if (this.#lateProcesses().length > 0 || lateReadModels().length > 0) return true;
    return this.#owedCredits().length > 0;
  }

  /** Processes that connect to a restored log notice it, and start over. */
  #isLogNew(): boolean {
    const { world } = this.#needs;
    return world.isLogRestored && world.scheduler.now - world.calmSince < noticeMs;
  }

  /**
   * A process recorded in a restored log its progress in the previous one: it corrects that in
   * time.
   */
  #isCheckpointAhead(): boolean {
    if (!this.#needs.world.isLogRestored) return false;
    const newest = new Map<string, Recorded>();
    for (const recorded of this.#needs.world.log.log.all) {
      if (recorded.event.type === 'ProcessAdvanced') newest.set(recorded.streamId, recorded);
    }
    return [...newest.values()].some(({ event, position }) => {
      const { data } = event as ProcessAdvanced;
      return BigInt(data.position) >= position;
    });
  }

  #lateProcesses(): readonly string[] {
    return this.#needs.world.keepers.flatMap(({ host, current }) => {
      if (!host.isReady) return [];
      const { runner } = current();
      return runner.isLive() && runner.failing().length === 0 ? [] : [host.machine.name];
    });
  }
}
