import type { ProducerClosed } from '../../domain/account/events.ts';
import type { UsageNumber } from '../../domain/account/usage-number.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { LeaseId, ProducerId, UserId } from '../../domain/shared/ids.ts';
import type { Check } from './check.ts';
import type { ConcernedEvent } from './concerns.ts';
import type { Findings } from './findings.ts';

type Producer = {
  readonly relayId: string;
  settledThrough: number;
  /** Its leases were given up, so its relay was silent for long. */
  isGivenUp: boolean;
};

/** A lease is named `<relay instance>.<user>.<token>.<number>`. */
const relayOf = (leaseId: LeaseId): string => leaseId.split('.').slice(0, -3).join('.');

/**
 * What each relay instance recorded for an account is in the log under the numbers 1, 2, 3 …, in
 * order and without a gap, and nothing after its end. Remembers the instances that are not closed.
 */
export class ProducerCheck implements Check<'producers'> {
  readonly #findings: Findings;
  readonly #accounts = new Map<UserId, Map<ProducerId, Producer>>();
  readonly #damagedJournals = new Set<string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  see(recorded: Recorded<ConcernedEvent<'producers'>>): void {
    const { event } = recorded;
    switch (event.type) {
      case 'QuotaLeased':
        this.#open(event.data);
        return;
      case 'ProducerClosed':
        this.#close(recorded, event.data);
        return;
      case 'LeaseExpired':
        this.#giveUp(event.data);
        return;
      case 'LeaseReturned':
      case 'RequestCharged':
      case 'UsageNumberSkipped':
        this.#settle(recorded, event.data);
        return;
    }
  }

  /** Of relay instances that were given up and whose journal was never read since, or not as a whole. */
  end(): void {
    for (const relayId of this.#damagedJournals) {
      this.#findings.note(`the journal of relay ${relayId} was damaged: charges may be missing`);
    }
    const accounts = new Map<string, number>();
    for (const producers of this.#accounts.values()) {
      for (const { relayId, isGivenUp } of producers.values()) {
        if (isGivenUp) accounts.set(relayId, (accounts.get(relayId) ?? 0) + 1);
      }
    }
    for (const [relayId, count] of accounts) {
      this.#findings.note(
        `relay ${relayId} was closed in ${count} accounts without its journal: its last records are missing`,
      );
    }
  }

  #giveUp({ userId, leaseId }: Readonly<{ userId: UserId; leaseId: LeaseId }>): void {
    const relayId = relayOf(leaseId);
    for (const producer of this.#producersOf(userId).values()) {
      if (producer.relayId === relayId) producer.isGivenUp = true;
    }
  }

  #producersOf(userId: UserId): Map<ProducerId, Producer> {
    const known = this.#accounts.get(userId);
    if (known !== undefined) return known;
    const producers = new Map<ProducerId, Producer>();
    this.#accounts.set(userId, producers);
    return producers;
  }

  #open({
    userId,
    relayId,
    producerId,
  }: Readonly<{ userId: UserId; relayId: string; producerId?: ProducerId }>): void {
    const producers = this.#producersOf(userId);
    if (producerId === undefined || producers.has(producerId)) return;
    producers.set(producerId, { relayId, settledThrough: 0, isGivenUp: false });
  }

  #settle(
    recorded: Recorded<ConcernedEvent<'producers'>>,
    { userId, usageNumber }: Readonly<{ userId: UserId; usageNumber?: UsageNumber }>,
  ): void {
    if (usageNumber === undefined) return;
    const { producerId, number } = usageNumber;
    const producer = this.#producersOf(userId).get(producerId);
    if (producer === undefined) {
      const detail = `number ${number} of producer ${producerId}, which was not opened`;
      this.#findings.ofEvent('usage-of-no-producer', recorded, detail);
      return;
    }
    const { relayId, settledThrough } = producer;
    const of = `of relay ${relayId} in account ${userId}`;
    producer.settledThrough = Math.max(settledThrough, number);
    const isLost =
      recorded.event.type === 'UsageNumberSkipped' && recorded.event.data.reason === 'lost';
    if (number === settledThrough + 1 && !isLost) return;
    if (number <= settledThrough) {
      this.#findings.ofEvent('usage-repeated', recorded, `number ${number} ${of} appeared before`);
      return;
    }
    const last = isLost ? number : number - 1;
    const detail = `numbers ${settledThrough + 1} to ${last} ${of} are missing`;
    this.#findings.ofEvent('usage-missing', recorded, detail);
  }

  #close(
    recorded: Recorded,
    { userId, relayId, producerId, last, damaged }: ProducerClosed['data'],
  ): void {
    if (damaged === true) this.#damagedJournals.add(relayId);
    const producers = this.#producersOf(userId);
    const settledThrough = producers.get(producerId)?.settledThrough ?? 0;
    producers.delete(producerId);
    if (settledThrough >= last) return;
    const detail = `numbers ${settledThrough + 1} to ${last} in account ${userId} are missing`;
    this.#findings.ofEvent('usage-missing', recorded, detail);
  }
}
