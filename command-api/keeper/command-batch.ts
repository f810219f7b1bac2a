import type { AccountCommand, AccountRejection } from '../../domain/account/commands.ts';
import { decideAccount } from '../../domain/account/decider.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { AccountState } from '../../domain/account/state.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { Decision } from '../../domain/shared/decider.ts';
import type { EventToAppend } from '../../infra/ports/event-store.ts';
import type { Random } from '../../infra/ports/random.ts';
import { derivedEventId } from '../commands/append.ts';
import type { CommandMemory } from '../commands/command-memory.ts';
import { uuidFrom } from '../shared/uuid.ts';
import { foldEvent, type LoadedAccount } from './load-account.ts';
import type { Findings, Question } from './lookup.ts';

/**
 * Derived where the same cause gives the same event on every machine; leases are numbered by their
 * request, and for a keeper's spontaneous acts the state after a reload shows a repeat.
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
    case 'SkipUsageNumber':
    case 'CloseProducer':
      return random.uuid();
    default: {
      const streamId = accountStreamId(command.data.userId);
      return derivedEventId(streamId, command.metadata, index);
    }
  }
};

/** Several commands of one account, decided one after the other for one append. */
export class CommandBatch {
  readonly #account: LoadedAccount;
  readonly #random: Random;
  readonly findings: Findings;
  readonly events: EventToAppend<AccountEvent>[] = [];
  /** An answer rests on the state alone, so without events it is final only on the log's tail. */
  needsTail = false;

  constructor(account: LoadedAccount, findings: Findings, random: Random) {
    this.#account = account;
    this.#random = random;
    this.findings = findings;
  }

  get state(): AccountState {
    return this.#account.state;
  }

  get commands(): CommandMemory {
    return this.#account.commands;
  }

  /** Decides and folds at once, so that the next command sees it. */
  submit(command: AccountCommand): Decision<AccountEvent, AccountRejection> {
    this.needsTail = true;
    const decision = decideAccount(command, this.#account.state);
    if (decision.kind === 'rejected') return decision;
    for (const [index, event] of decision.events.entries()) {
      foldEvent(this.#account, event, command.metadata);
      const eventId = eventIdFor(command, index, this.#random);
      this.events.push({ event, eventId, metadata: command.metadata });
    }
    return decision;
  }
}

/** Something to be done on one account. `run` is synchronous and may run again after a conflict. */
export type Work<T> = Readonly<{
  /** About how many commands it brings; bounds what one append holds. */
  size: number;
  questions: (state: AccountState, commands: CommandMemory) => readonly Question[];
  run: (batch: CommandBatch) => T;
}>;

/** Takes a turn in the queue of an account, and loads it where it is not in memory. */
export const noOp: Work<null> = { size: 0, questions: () => [], run: () => null };

/** Reads the account from the log: another keeper may have appended to it. */
export const readState = <T>(read: (state: AccountState) => T): Work<T> => ({
  size: 0,
  questions: () => [],
  run: (batch) => {
    batch.needsTail = true;
    return read(batch.state);
  },
});

/** Brings what is in memory of an account up to what the log holds. */
export const catchUp: Work<null> = readState(() => null);
