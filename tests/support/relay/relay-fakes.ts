import type { Metrics } from '../../../infra/ports/metrics.ts';
import type {
  LeaseBook,
  QuotaRequest,
  Reservation,
  ReserveResult,
} from '../../../relay/admission/lease-book.ts';
import type {
  FailedEntry,
  Journal,
  StartedEntry,
  UsedEntry,
} from '../../../relay/settlement/journal.ts';

export class FakeLeaseBook implements LeaseBook {
  /** Units that may still be reserved. */
  funds = 1_000_000_000;
  /** tryReserve answers null, so that every request goes through `reserve`. */
  cold = false;
  refusal: Extract<ReserveResult, { kind: 'refused' }>['refusal'] = 'balance-exhausted';
  readonly settled: { reservation: Reservation; amount: number }[] = [];
  open = 0;

  tryReserve(userId: number, tokenId: number, need: number): Reservation | null {
    return this.cold || need > this.funds ? null : this.take(userId, tokenId, need);
  }

  async reserve({ userId, tokenId, need, least = need }: QuotaRequest) {
    await Promise.resolve();
    const granted = Math.min(need, this.funds);
    if (granted >= least && (granted > 0 || need === 0)) {
      return { kind: 'reserved' as const, reservation: this.take(userId, tokenId, granted) };
    }
    return { kind: 'refused' as const, refusal: this.refusal, balance: this.funds, tokenRemain: 0 };
  }

  reserveMore({ userId, tokenId }: Reservation, need: number) {
    return this.reserve({ userId, tokenId, need });
  }

  extend(reservation: Reservation, more: number): boolean {
    if (more > this.funds) return false;
    this.funds -= more;
    reservation.reserved += more;
    return true;
  }

  settle(reservation: Reservation, amount: number): void {
    this.funds += reservation.reserved - amount;
    reservation.reserved = 0;
    this.open -= 1;
    this.settled.push({ reservation, amount });
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  private take(userId: number, tokenId: number, need: number): Reservation {
    this.funds -= need;
    this.open += 1;
    const leaseId = `relay-1.${userId}.${tokenId}.1`;
    return { leaseId, producerId: 1, userId, tokenId, reserved: need };
  }
}

export class FakeJournal implements Journal {
  readonly relayId = 'relay-1';
  readonly recovered = [];
  readonly startedEntries: StartedEntry[] = [];
  readonly outcomes: (UsedEntry | FailedEntry)[] = [];
  /** Keeps the confirmation back until the test releases it. */
  gate: Promise<void> | null = null;
  private waiting: (() => void)[] = [];

  started(entry: StartedEntry): void {
    this.startedEntries.push(entry);
  }

  ended(entry: UsedEntry | FailedEntry, onWritten: () => void): void {
    this.outcomes.push(entry);
    for (const wake of this.waiting.splice(0)) wake();
    if (this.gate === null) setImmediate(onWritten);
    else void this.gate.then(onWritten);
  }

  /** The outcome of that number (0 first), once it is there. */
  async outcome(index = 0): Promise<UsedEntry | FailedEntry> {
    for (;;) {
      const found = this.outcomes[index];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async used(index = 0): Promise<UsedEntry> {
    const entry = await this.outcome(index);
    if (entry.kind !== 'used') throw new Error(`outcome is ${entry.kind}: ${entry.message}`);
    return entry;
  }

  async failed(index = 0): Promise<FailedEntry> {
    const entry = await this.outcome(index);
    if (entry.kind !== 'failed') throw new Error(`outcome is ${entry.kind}`);
    return entry;
  }

  leaseIdle(): void {}
  unsettledNumber(): number {
    return 0;
  }
  endProducers(): void {}
  /** The feeds and options of the relay under test. */
  canRecord = true;
  accepting(): boolean {
    return this.canRecord;
  }
  healthy(): boolean {
    return true;
  }
  async close(): Promise<void> {}
}

export const noMetrics: Metrics = {
  counter: () => ({ inc: () => {} }),
  gauge: () => ({ set: () => {} }),
  histogram: () => ({ observe: () => {} }),
  values: async () => [],
};
