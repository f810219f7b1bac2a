import type { AccountCommandTrace, CommandMemorySnapshot } from '../../domain/account/snapshot.ts';
import type { Metadata } from '../../domain/shared/event.ts';

/** Commands of people and processes remembered for each account. Charges have their sequence. */
const rememberedCommands = 256;

/** The newest commands of one account: what was done already is not done again. */
export class CommandMemory {
  readonly #traces: Map<string, AccountCommandTrace>;
  #forgottenUntil: string | null;

  constructor(snapshot?: CommandMemorySnapshot) {
    this.#traces = new Map(snapshot?.traces ?? []);
    this.#forgottenUntil = snapshot?.forgottenUntil ?? null;
  }

  get(commandId: string): AccountCommandTrace | undefined {
    return this.#traces.get(commandId);
  }

  note({ commandId, commandHash, occurredAt }: Metadata, revision: number): void {
    const known = this.#traces.get(commandId);
    this.#traces.set(commandId, {
      first: known?.first ?? revision,
      count: (known?.count ?? 0) + 1,
      hash: commandHash ?? null,
      occurredAt,
    });
    if (this.#traces.size <= rememberedCommands) return;
    for (const [oldest, trace] of this.#traces) {
      this.#traces.delete(oldest);
      if (this.#forgottenUntil === null || trace.occurredAt > this.#forgottenUntil) {
        this.#forgottenUntil = trace.occurredAt;
      }
      return;
    }
  }

  /**
   * True when memory alone says that the command is new. A repeat carries the time of its cause,
   * so one that is younger than everything forgotten cannot be among it.
   */
  isComplete(occurredAt: string): boolean {
    return this.#forgottenUntil === null || occurredAt > this.#forgottenUntil;
  }

  toSnapshot(): CommandMemorySnapshot {
    return { traces: [...this.#traces], forgottenUntil: this.#forgottenUntil };
  }
}

/** Events that a person or a process asked for by command id; the others stem from relays. */
export const stemsFromCommand = (eventType: string): boolean => !relayEvents.has(eventType);

const relayEvents = new Set([
  'QuotaLeased',
  'LeaseReturned',
  'LeaseExpired',
  'RequestCharged',
  'RequestAbandoned',
]);
