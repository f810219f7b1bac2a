import type { AccountEvent, RequestCharged, RequestRefunded } from '../../domain/account/events.ts';
import type { Outcome } from '../../domain/account/state.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { AccountRecorded } from './load-account.ts';

/** Something that memory cannot answer and the stream can. */
export type Question = Readonly<{
  about: 'outcome' | 'charge' | 'command';
  /** Request id or command id. */
  id: string;
  /** No answer stands before this revision. */
  notBefore: number;
  /** No answer stands before this time (ISO-8601); null when only the revision bounds it. */
  notOlderThan: string | null;
}>;

type ChargeFound = { amount: number; tokenId: number; refunded: number };
export type Findings = Readonly<{
  outcomes: ReadonlyMap<string, Outcome>;
  charges: ReadonlyMap<string, ChargeFound>;
  /** Events of a command, oldest first. */
  commands: ReadonlyMap<string, readonly AccountRecorded[]>;
}>;

/** Clocks of the machines of one installation agree within this. */
const clockToleranceMs = 3_600_000;

const noFindings: Findings = {
  outcomes: new Map(),
  charges: new Map(),
  commands: new Map(),
};

const oldestTime = (questions: readonly Question[]): string | null => {
  let oldest: number | null = null;
  for (const { notOlderThan } of questions) {
    const time = notOlderThan === null ? Number.NaN : Date.parse(notOlderThan);
    if (Number.isNaN(time)) return null;
    if (oldest === null || time < oldest) oldest = time;
  }
  return oldest === null ? null : new Date(oldest - clockToleranceMs).toISOString();
};

/** Tells where no answer can stand any more. */
const boundOf = (questions: readonly Question[]): ((recorded: AccountRecorded) => boolean) => {
  const firstRevision = BigInt(Math.min(...questions.map(({ notBefore }) => notBefore)));
  const firstTime = oldestTime(questions);
  return ({ revision, metadata: { occurredAt } }) =>
    revision < firstRevision || (firstTime !== null && occurredAt < firstTime);
};

type Wanted = Readonly<{ outcome: Set<string>; charge: Set<string>; command: Set<string> }>;
type Collected = {
  outcomes: Map<string, Outcome>;
  charges: Map<string, ChargeFound>;
  commands: Map<string, AccountRecorded[]>;
  refunds: Map<string, number>;
};

const collectCharge = (
  collected: Collected,
  wanted: Wanted,
  { amount, call }: RequestCharged['data'],
): void => {
  const id = call.requestId;
  if (wanted.outcome.has(id)) collected.outcomes.set(id, 'charged');
  if (!wanted.charge.has(id)) return;
  const refunded = collected.refunds.get(id) ?? 0;
  collected.charges.set(id, { amount, tokenId: call.tokenId, refunded });
};

/** A charge wins, whichever of the two is met first. */
const collectAbandonment = (collected: Collected, wanted: Wanted, requestId: string): void => {
  if (!wanted.outcome.has(requestId) || collected.outcomes.has(requestId)) return;
  collected.outcomes.set(requestId, 'abandoned');
};

const collectRefund = (
  { refunds }: Collected,
  wanted: Wanted,
  { requestId, amount }: RequestRefunded['data'],
): void => {
  if (wanted.charge.has(requestId)) {
    refunds.set(requestId, (refunds.get(requestId) ?? 0) + amount);
  }
};

const collectRequest = (collected: Collected, wanted: Wanted, event: AccountEvent): void => {
  if (event.type === 'RequestCharged') collectCharge(collected, wanted, event.data);
  if (event.type === 'RequestAbandoned') {
    collectAbandonment(collected, wanted, event.data.requestId);
  }
  if (event.type === 'RequestRefunded') collectRefund(collected, wanted, event.data);
};

const collectCommand = (collected: Collected, wanted: Wanted, recorded: AccountRecorded): void => {
  const { commandId } = recorded.metadata;
  if (!wanted.command.has(commandId)) return;
  collected.commands.set(commandId, [recorded, ...(collected.commands.get(commandId) ?? [])]);
};

/** Charges are final, so a search for those alone may end early. */
const isAnswered = (collected: Collected, wanted: Wanted): boolean => {
  if (wanted.command.size > 0 || wanted.charge.size > collected.charges.size) return false;
  for (const id of wanted.outcome) if (collected.outcomes.get(id) !== 'charged') return false;
  return true;
};

const nothingCollected = (): Collected => ({
  outcomes: new Map(),
  charges: new Map(),
  commands: new Map(),
  refunds: new Map(),
});

/** Reads the stream backwards once for all questions, as far back as an answer may stand. */
export const lookUp = async (
  store: EventStore,
  userId: UserId,
  questions: readonly Question[],
): Promise<Findings> => {
  if (questions.length === 0) return noFindings;
  const wanted: Wanted = { outcome: new Set(), charge: new Set(), command: new Set() };
  for (const { about, id } of questions) wanted[about].add(id);
  const isTooOld = boundOf(questions);
  const collected = nothingCollected();
  const backwards = store.readStream<AccountEvent>(accountStreamId(userId), { backwards: true });
  for await (const recorded of backwards) {
    if (isTooOld(recorded)) break;
    collectRequest(collected, wanted, recorded.event);
    collectCommand(collected, wanted, recorded);
    if (isAnswered(collected, wanted)) break;
  }
  return collected;
};
