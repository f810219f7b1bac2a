import type { ProducerId, UserId } from '../../domain/shared/ids.ts';

/** What this relay instance recorded for one account under one producer. */
export type Producer = {
  readonly userId: UserId;
  readonly producerId: ProducerId;
  /** Its last number; 0: none. */
  last: number;
  /** Of the record that has it, in the journal. */
  lastSequence: number;
  /** Requests that have started and not ended. */
  open: number;
  /** The producer that the account gave this instance before; its requests may still end. */
  readonly before: Producer | null;
};

/** The numbers of this relay instance, account by account. They are kept as long as it runs. */
export class UsageNumbers {
  readonly #accounts = new Map<UserId, Producer>();

  /** null where the keeper gave no producer. */
  of(userId: UserId, producerId: ProducerId | null): Producer | null {
    if (producerId === null) return null;
    const newest = this.#accounts.get(userId) ?? null;
    for (let producer = newest; producer !== null; producer = producer.before) {
      if (producer.producerId === producerId) return producer;
    }
    const added: Producer = {
      userId,
      producerId,
      last: 0,
      lastSequence: 0,
      open: 0,
      before: newest,
    };
    this.#accounts.set(userId, added);
    return added;
  }

  /** null: nothing of the account was numbered. */
  newest(userId: UserId): Producer | null {
    return this.#accounts.get(userId) ?? null;
  }

  /** Producers without a request that may still end; an account's older ones are first. */
  idle(): readonly Producer[] {
    const found: Producer[] = [];
    for (const newest of this.#accounts.values()) {
      const own: Producer[] = [];
      for (let at: Producer | null = newest; at !== null; at = at.before) own.unshift(at);
      found.push(...own.filter(({ open }) => open === 0));
    }
    return found;
  }
}
