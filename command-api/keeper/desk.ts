import type { AccountCommand, AccountRejection } from '../../domain/account/commands.ts';
import { decideAccount } from '../../domain/account/decider.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { AccountState } from '../../domain/account/state.ts';
import type { Decision } from '../../domain/shared/decider.ts';
import type { EventToAppend } from '../../infra/ports/event-store.ts';
import type { Random } from '../../infra/ports/random.ts';
import { uuidFrom } from '../uuid.ts';
import { advanceBooks, type Books } from './books.ts';
import type { CommandMemory } from './command-memory.ts';
import type { Findings, Question } from './lookup.ts';

/**
 * Derived where the same cause gives the same event on every machine; leases are numbered by their
 * ask, and for what a keeper does of its own accord the state after a reload tells a repeat.
 */
const eventIdFor = (command: AccountCommand, index: number, random: Random): string => {
  switch (command.type) {
    case 'ChargeRequest':
      return uuidFrom(command.data.call.requestId);
    case 'AbandonRequest':
      return uuidFrom(`abandoned/${command.data.requestId}`);
    case 'LeaseQuota':
    case 'ReturnLease':
    case 'ExpireLease':
      return random.uuid();
    default:
      return uuidFrom(`account-${command.data.userId}/${command.metadata.commandId}#${index}`);
  }
};

/** Decisions that take nothing in hand are final only if memory is up to date. */
const needsFreshBooks = (command: AccountCommand): boolean =>
  command.type !== 'ChargeRequest' && command.type !== 'AbandonRequest';

/** Where several works on one account are decided, one after the other, for one append. */
export class Desk {
  readonly #books: Books;
  readonly #random: Random;
  readonly findings: Findings;
  readonly events: EventToAppend<AccountEvent>[] = [];
  /** Something was refused, or there was nothing to do: true only if memory is up to date. */
  doubtful = false;

  constructor(books: Books, findings: Findings, random: Random) {
    this.#books = books;
    this.#random = random;
    this.findings = findings;
  }

  get state(): AccountState {
    return this.#books.state;
  }

  get commands(): CommandMemory {
    return this.#books.commands;
  }

  /** Decides and folds at once, so that the next command sees it. */
  submit(command: AccountCommand): Decision<AccountEvent, AccountRejection> {
    const decision = decideAccount(command, this.#books.state);
    const isEmpty = decision.kind === 'rejected' || decision.events.length === 0;
    if (isEmpty) {
      this.doubtful ||= needsFreshBooks(command);
      return decision;
    }
    for (const [index, event] of decision.events.entries()) {
      advanceBooks(this.#books, event, command.metadata);
      const eventId = eventIdFor(command, index, this.#random);
      this.events.push({ event, eventId, metadata: command.metadata });
    }
    return decision;
  }
}

/** Something to be done on one account. `run` is synchronous and may be run again after a conflict. */
export type Work<T> = Readonly<{
  /** Commands that it brings, about; bounds what one append holds. */
  size: number;
  questions: (state: AccountState, commands: CommandMemory) => readonly Question[];
  run: (desk: Desk) => T;
}>;
