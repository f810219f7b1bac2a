import type { AccountCommand, AccountRejection } from '../../domain/account/commands.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type { AccountState } from '../../domain/account/state.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { CommandMemory } from '../commands/command-memory.ts';
import type { CommandResult } from '../commands/command-result.ts';
import {
  idempotencyConflict,
  isSameIntent,
  repeatedAnswer,
  withFingerprint,
} from '../commands/repeats.ts';
import type { CommandBatch, Work } from './command-batch.ts';
import type { Question } from './lookup.ts';

/** The answer but for the place in the log, which only the append knows. */
type Answer = CommandResult<AccountEvent, AccountRejection>;

type Stored = Readonly<{ event: AccountEvent; metadata: Metadata; position: bigint }>;

const repeatOf = (command: AccountCommand, stored: readonly Stored[]): Answer =>
  stored.every(({ metadata }) => isSameIntent(metadata.commandHash, command))
    ? repeatedAnswer(stored)
    : idempotencyConflict();

/** The same command came before in this batch: its events are about to be written. */
const twinOf = (command: AccountCommand, { events }: CommandBatch): Answer | null => {
  const { commandId } = command.metadata;
  const twin = events.filter(({ metadata }) => metadata.commandId === commandId);
  if (twin.length === 0) return null;
  const unwritten = twin.map((event) => ({ ...event, position: 0n }));
  const answer = repeatOf(command, unwritten);
  return answer.kind === 'rejected' ? answer : { ...answer, position: null };
};

/** A refund is bounded by the charge that it gives back. */
const withCharge = (command: AccountCommand, { findings }: CommandBatch): AccountCommand => {
  if (command.type !== 'RefundRequest') return command;
  const charge = findings.charges.get(command.data.requestId);
  return charge === undefined ? command : { ...command, data: { ...command.data, charge } };
};

const questionsOf = (command: AccountCommand, commands: CommandMemory): readonly Question[] => {
  const questions: Question[] = [];
  const { commandId: id, occurredAt } = command.metadata;
  const trace = commands.get(id);
  if (trace !== undefined) {
    questions.push({ about: 'command', id, notBefore: trace.first, notOlderThan: null });
  } else if (!commands.isComplete(occurredAt)) {
    questions.push({ about: 'command', id, notBefore: 0, notOlderThan: occurredAt });
  }
  if (command.type === 'RefundRequest') {
    const { requestId } = command.data;
    questions.push({ about: 'charge', id: requestId, notBefore: 0, notOlderThan: null });
  }
  return questions;
};

/** A command of a person or a process, done once for each command id. */
export const commandWork = (given: AccountCommand): Work<Answer> => {
  const command = withFingerprint(given);
  const { commandId } = command.metadata;
  return {
    size: 1,
    questions: (_state: AccountState, commands) => questionsOf(command, commands),
    run: (batch) => {
      const stored = batch.findings.commands.get(commandId);
      if (stored !== undefined) return repeatOf(command, stored);
      const twin = twinOf(command, batch);
      if (twin !== null) return twin;
      const decision = batch.submit(withCharge(command, batch));
      if (decision.kind === 'rejected') return decision;
      return { ...decision, position: null, repeated: false };
    },
  };
};
