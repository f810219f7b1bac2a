import type {
  AccountCommand,
  AccountRejection,
  PostCorrection,
  RefundRequest,
} from '../../domain/account/commands.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import {
  chargesNamed,
  isChargeMovement,
  leftOf,
  type OpenCharges,
} from '../../domain/account/open-charges.ts';
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
import type { CommandOrigin } from './accounts.ts';
import { openChargesOf } from './charge-search.ts';
import type { CommandBatch, Work } from './command-batch.ts';
import type { Question } from './lookup.ts';

/** The answer without the place in the log, which is available after the append only. */
type Answer = CommandResult<AccountEvent, AccountRejection>;

type Stored = Readonly<{ event: AccountEvent; metadata: Metadata; position: bigint }>;

const repeatOf = (command: AccountCommand, stored: readonly Stored[]): Answer =>
  stored.every(({ metadata }) => isSameIntent(metadata.commandHash, command))
    ? repeatedAnswer(stored)
    : idempotencyConflict();

/** An earlier command of this batch is the same: its events are about to be written. */
const twinOf = (command: AccountCommand, { events }: CommandBatch): Answer | null => {
  const { commandId } = command.metadata;
  const twin = events.filter(({ metadata }) => metadata.commandId === commandId);
  if (twin.length === 0) return null;
  const unwritten = twin.map((event) => ({ ...event, position: 0n }));
  const answer = repeatOf(command, unwritten);
  return answer.kind === 'rejected' ? answer : { ...answer, position: null };
};

/** The charges that a command gives back, by request id or event id. */
const chargesIn = (command: AccountCommand): readonly string[] => {
  if (command.type === 'RefundRequest') return [command.data.requestId];
  return command.type === 'PostCorrection' ? command.data.corrects : [];
};

/** What was given back before counts, in the log and earlier in this batch. */
const openCharges = ({ findings, events }: CommandBatch): OpenCharges => {
  const batched = events.flatMap(({ event, eventId }) =>
    isChargeMovement(event) ? [{ event, eventId }] : [],
  );
  return openChargesOf([...findings.movements, ...batched]);
};

const withCharge = (command: RefundRequest, charges: OpenCharges): RefundRequest => {
  const { charge: _untrusted, ...data } = command.data;
  const found = charges.get(data.requestId);
  if (found === undefined) return { ...command, data };
  const { amount, left, tokenId } = found;
  return { ...command, data: { ...data, charge: { amount, refunded: amount - left, tokenId } } };
};

const withCharges = (command: PostCorrection, charges: OpenCharges): PostCorrection => {
  const { corrects } = command.data;
  const left = chargesNamed(charges, corrects).reduce((sum, charge) => sum + leftOf(charge), 0);
  const unknown = corrects.filter((name) => !charges.has(name));
  return { ...command, data: { ...command.data, charged: { left, unknown } } };
};

/** The charges in the stream replace whatever the caller claims of them. */
const completed = (command: AccountCommand, batch: CommandBatch): AccountCommand => {
  if (command.type === 'RefundRequest') return withCharge(command, openCharges(batch));
  return command.type === 'PostCorrection' ? withCharges(command, openCharges(batch)) : command;
};

const commandQuestion = (
  id: string,
  commands: CommandMemory,
  origin: CommandOrigin,
): readonly Question[] => {
  const trace = commands.get(id);
  if (trace !== undefined) {
    return [{ about: 'known-command', id, first: trace.first, count: trace.count }];
  }
  const upTo = commands.forgottenUpTo;
  if (upTo === null || origin.kind === 'unrepeatable') return [];
  const behind = origin.kind === 'caused' ? origin.position : null;
  return [{ about: 'forgotten-command', id, upTo, behind }];
};

const questionsOf = (
  command: AccountCommand,
  commands: CommandMemory,
  origin: CommandOrigin,
): readonly Question[] => {
  const questions = commandQuestion(command.metadata.commandId, commands, origin);
  const names = chargesIn(command);
  return names.length === 0 ? questions : [...questions, { about: 'charges', names }];
};

/** A command of a person or a process, done once for each command id. */
export const commandWork = (
  given: AccountCommand,
  origin: CommandOrigin = { kind: 'unknown' },
): Work<Answer> => {
  const command = withFingerprint(given);
  const { commandId } = command.metadata;
  return {
    size: 1,
    questions: (_state: AccountState, commands) => questionsOf(command, commands, origin),
    run: (batch) => {
      const stored = batch.findings.commands.get(commandId);
      if (stored !== undefined) return repeatOf(command, stored);
      const twin = twinOf(command, batch);
      if (twin !== null) return twin;
      const decision = batch.submit(completed(command, batch));
      if (decision.kind === 'rejected') return decision;
      return { ...decision, position: null, repeated: false };
    },
  };
};
