import { createHash } from 'node:crypto';
import type { AccountCommand, AccountRejection } from '../../domain/account/commands.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import { accept, reject } from '../../domain/shared/decider.ts';
import type { CommandResult } from '../command-result.ts';
import type { AccountRecorded } from './books.ts';
import type { Desk, Work } from './desk.ts';
import type { Question } from './lookup.ts';

/** The answer but for the place in the log, which only the append knows. */
type Answer = CommandResult<AccountEvent, AccountRejection>;

const fingerprint = (command: AccountCommand): string =>
  command.metadata.commandHash ??
  createHash('sha256')
    .update(JSON.stringify([command.type, command.data]))
    .digest('base64url');

const repeatOf = (command: AccountCommand, stored: readonly AccountRecorded[]): Answer => {
  const sameWish = stored.every(
    ({ metadata }) => metadata.commandHash === command.metadata.commandHash,
  );
  if (!sameWish) return reject('request.idempotency-conflict');
  const events = stored.map(({ event }) => event);
  return { ...accept(...events), position: stored.at(-1)?.position ?? null, repeated: true };
};

const withCharge = (command: AccountCommand, { findings }: Desk): AccountCommand => {
  if (command.type !== 'RefundRequest') return command;
  const charge = findings.charges.get(command.data.requestId);
  return charge === undefined ? command : { ...command, data: { ...command.data, charge } };
};

const questionsOf = (
  command: AccountCommand,
  {
    isKnown,
    isCertainlyNew,
    first,
  }: Readonly<{
    isKnown: boolean;
    isCertainlyNew: boolean;
    first: number;
  }>,
): readonly Question[] => {
  const questions: Question[] = [];
  const { commandId, occurredAt } = command.metadata;
  if (isKnown || !isCertainlyNew) {
    const notOlderThan = isKnown ? null : occurredAt;
    questions.push({ about: 'command', id: commandId, notBefore: first, notOlderThan });
  }
  if (command.type === 'RefundRequest') {
    const id = command.data.requestId;
    questions.push({ about: 'charge', id, notBefore: 0, notOlderThan: null });
  }
  return questions;
};

/** A command of a person or a process, done once for each command id. */
export const commandWork = (asked: AccountCommand): Work<Answer> => {
  const commandHash = fingerprint(asked);
  const command = { ...asked, metadata: { ...asked.metadata, commandHash } } as AccountCommand;
  const { commandId, occurredAt } = command.metadata;
  return {
    size: 1,
    questions: (_state, commands) => {
      const trace = commands.get(commandId);
      return questionsOf(command, {
        isKnown: trace !== undefined,
        isCertainlyNew: commands.isComplete(occurredAt),
        first: trace?.first ?? 0,
      });
    },
    run: (desk) => {
      const stored = desk.findings.commands.get(commandId);
      if (stored !== undefined) return repeatOf(command, stored);
      // The same command twice in one round: the first one is about to be written.
      const twin = desk.events.filter(({ metadata }) => metadata.commandId === commandId);
      if (twin.length > 0) {
        const isSame = twin.every(({ metadata }) => metadata.commandHash === commandHash);
        if (!isSame) return reject('request.idempotency-conflict');
        return { ...accept(...twin.map(({ event }) => event)), position: null, repeated: true };
      }
      const decision = desk.submit(withCharge(command, desk));
      if (decision.kind === 'rejected') return decision;
      return { ...decision, position: null, repeated: false };
    },
  };
};
