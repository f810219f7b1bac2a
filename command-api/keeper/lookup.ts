import type { AccountEvent } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { type AccountPrefix, type FoundMovement, findChargeMovements } from './charge-search.ts';
import { type ForgottenCommand, findCommands, type KnownCommand } from './command-search.ts';
import type { AccountRecorded } from './load-account.ts';

type Outcome = 'charged' | 'abandoned';

type OutcomeQuestion = Readonly<{
  about: 'outcome';
  /** Request id. */
  id: string;
  /** No answer is before this revision. */
  notBefore: number;
}>;

/** What of these charges, named by request id or event id, has not been given back? */
type ChargeQuestion = Readonly<{ about: 'charges'; names: readonly string[] }>;

/** Something that memory cannot answer and the stream can. */
export type Question = OutcomeQuestion | ChargeQuestion | ForgottenCommand | KnownCommand;

export type Findings = Readonly<{
  outcomes: ReadonlyMap<string, Outcome>;
  /** Requested charges, and what was given back of them; oldest first. */
  movements: readonly FoundMovement[];
  /** Events of a command, oldest first. */
  commands: ReadonlyMap<string, readonly AccountRecorded[]>;
}>;

const noFindings: Findings = {
  outcomes: new Map(),
  movements: [],
  commands: new Map(),
};

/** A charge wins, whichever of the two is met first. */
const collect = (
  outcomes: Map<string, Outcome>,
  wanted: ReadonlySet<string>,
  event: AccountEvent,
): void => {
  if (event.type === 'RequestCharged') {
    const { requestId } = event.data.call;
    if (wanted.has(requestId)) outcomes.set(requestId, 'charged');
  }
  if (event.type === 'RequestAbandoned') {
    const { requestId } = event.data;
    if (wanted.has(requestId) && !outcomes.has(requestId)) outcomes.set(requestId, 'abandoned');
  }
};

/** Charges are final, so a search for those alone may end early. */
const isAnswered = (
  outcomes: ReadonlyMap<string, Outcome>,
  wanted: ReadonlySet<string>,
): boolean => {
  for (const id of wanted) if (outcomes.get(id) !== 'charged') return false;
  return true;
};

/** Reads the stream backwards once for all queries, as far back as an answer may be. */
const findOutcomes = async (
  store: EventStore,
  { userId, upTo }: AccountPrefix,
  questions: readonly OutcomeQuestion[],
): Promise<ReadonlyMap<string, Outcome>> => {
  const outcomes = new Map<string, Outcome>();
  if (questions.length === 0) return outcomes;
  const wanted = new Set(questions.map(({ id }) => id));
  const firstRevision = BigInt(Math.min(...questions.map(({ notBefore }) => notBefore)));
  const range = { backwards: true, from: upTo };
  const backwards = store.readStream<AccountEvent>(accountStreamId(userId), range);
  for await (const recorded of backwards) {
    if (recorded.revision < firstRevision) break;
    collect(outcomes, wanted, recorded.event);
    if (isAnswered(outcomes, wanted)) break;
  }
  return outcomes;
};

/**
 * Answers of the stream as far as the account is folded, `eventCount` events: a decision rests on
 * one state of the account alone. The same command, decided on later events as well, could result
 * in another event of the same id, which the log would take for a repeat and not store.
 */
export const lookUp = async (
  store: EventStore,
  { userId, eventCount }: Readonly<{ userId: UserId; eventCount: number }>,
  questions: readonly Question[],
): Promise<Findings> => {
  if (questions.length === 0 || eventCount === 0) return noFindings;
  const prefix = { userId, upTo: BigInt(eventCount - 1) };
  const outcomes: OutcomeQuestion[] = [];
  const commands: (ForgottenCommand | KnownCommand)[] = [];
  const names: string[] = [];
  for (const question of questions) {
    if (question.about === 'outcome') outcomes.push(question);
    else if (question.about === 'charges') names.push(...question.names);
    else commands.push(question);
  }
  return {
    outcomes: await findOutcomes(store, prefix, outcomes),
    movements: await findChargeMovements(store, prefix, names),
    commands: await findCommands(store, userId, commands),
  };
};
