import type { AccountCommand } from '../../domain/account/commands.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import type {
  LeaseIdle,
  ProducerEnded,
  RequestLost,
  RequestUsed,
  UsageRecord,
} from '../../domain/account/messages.ts';
import { type AccountState, standingOf } from '../../domain/account/state.ts';
import type { UsageNumber } from '../../domain/account/usage-number.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { RequestId } from '../../domain/shared/ids.ts';
import { causedMetadata } from '../shared/metadata.ts';
import type { CommandBatch, Work } from './command-batch.ts';
import type { Question } from './lookup.ts';

/** Maximum length of the reason in an event, in characters. */
const maxReason = 500;

/** The records that change an account. */
export type Settleable = RequestUsed | RequestLost | LeaseIdle | ProducerEnded;

type Due = Readonly<{
  record: Settleable;
  occurredAt: string;
  /** Its relay holds nothing older: a missing number before it never arrives. */
  isOldest: boolean;
}>;
type Faulty = Readonly<{ record: Settleable; reason: string }>;
export type Settled = Readonly<{
  charged: number;
  /** Those that were charged. */
  requests: readonly RequestId[];
  units: number;
  /** Cannot be settled ever; those with a number hold up the numbers after theirs. */
  faulty: readonly Faulty[];
  /**
   * Those that wait for a number before theirs; they are sent again once the relay sent that one
   * again.
   */
  waiting: readonly Settleable[];
}>;

export const isSettleable = (record: UsageRecord): record is Settleable =>
  record.kind === 'used' ||
  record.kind === 'lost' ||
  record.kind === 'lease-idle' ||
  record.kind === 'producer-ended';

const metadataOf = (record: Settleable, occurredAt: string): Metadata => {
  const cause = causeOf(record);
  return causedMetadata({ kind: 'relay', id: record.relayId }, cause, occurredAt);
};

const causeOf = (record: Settleable): string => {
  switch (record.kind) {
    case 'used':
      return record.call.requestId;
    case 'lost':
      return record.requestId;
    case 'lease-idle':
      return record.leaseId;
    case 'producer-ended':
      return `${record.relayId}/${record.userId}/${record.producerId}`;
  }
};

/** `lookUp` has answered for every record that no number places, so what is left of those is new. */
const commandOf = (record: Settleable, metadata: Metadata): AccountCommand => {
  const confirmed = { confirmedNew: true as const };
  switch (record.kind) {
    case 'used': {
      const { kind: _kind, relayId: _relayId, ...data } = record;
      return { type: 'ChargeRequest', data: { ...data, ...confirmed }, metadata };
    }
    case 'lost': {
      const { kind: _kind, sequence: _sequence, ...data } = record;
      return { type: 'AbandonRequest', data: { ...data, ...confirmed }, metadata };
    }
    case 'lease-idle': {
      const { kind: _kind, sequence: _sequence, ...data } = record;
      return { type: 'ReturnLease', data, metadata };
    }
    case 'producer-ended': {
      const { kind: _kind, sequence: _sequence, ...data } = record;
      return { type: 'CloseProducer', data, metadata };
    }
  }
};

/** Only the stream shows an abandonment, and a charge whose number the account could not place. */
const isUncertain = (
  record: Settleable,
  state: AccountState,
): record is RequestUsed | RequestLost => {
  if (record.kind === 'used') {
    const standing = standingOf(state, record.relayId, record.usageNumber);
    if (standing === 'unknown') return true;
    return standing !== 'settled' && state.unplaced.has(record.relayId);
  }
  return record.kind === 'lost';
};

const isSettledByNumber = (record: Settleable, state: AccountState): boolean =>
  record.kind === 'used' && standingOf(state, record.relayId, record.usageNumber) === 'settled';

/**
 * No placed outcome of a request is older than the producer; for others, the whole stream is read. After the log
 * was restored, the id of a producer may be that of another relay.
 */
const questionOf = (record: RequestUsed | RequestLost, state: AccountState): Question => {
  if (record.kind === 'used') {
    return { about: 'outcome', id: record.call.requestId, notBefore: 0 };
  }
  const { requestId, relayId, producerId } = record;
  const producer = producerId === undefined ? undefined : state.producers.get(producerId);
  const isPlaced = producer?.relayId === relayId && !state.unplaced.has(relayId);
  return { about: 'outcome', id: requestId, notBefore: isPlaced ? producer.since : 0 };
};

const outcomeInBatch = ({ events }: CommandBatch, requestId: string): boolean =>
  events.some(
    ({ event }) =>
      (event.type === 'RequestCharged' && event.data.call.requestId === requestId) ||
      (event.type === 'RequestAbandoned' && event.data.requestId === requestId),
  );

/** Its record in the stream, or in this batch: an abandonment may still be charged. */
const isSettledInLog = (record: Settleable, batch: CommandBatch): boolean => {
  if (!isUncertain(record, batch.state)) return false;
  const { outcomes } = batch.findings;
  if (record.kind === 'lost') {
    return outcomes.has(record.requestId) || outcomeInBatch(batch, record.requestId);
  }
  const { requestId } = record.call;
  return outcomes.get(requestId) === 'charged' || outcomeInBatch(batch, requestId);
};

type Tally = {
  charged: number;
  units: number;
  readonly waiting: Settleable[];
  readonly requests: RequestId[];
  readonly faulty: Faulty[];
};

const count = (tally: Tally, events: readonly AccountEvent[]): void => {
  const [event] = events;
  if (event?.type !== 'RequestCharged') return;
  tally.charged += 1;
  tally.requests.push(event.data.call.requestId);
  tally.units += event.data.amount;
};

/** The last of the numbers that this record waits for; null: it waits for none, or has no number. */
const missingBefore = (record: Settleable, { producers }: AccountState): UsageNumber | null => {
  if (record.kind === 'lost') return null;
  const isEnd = record.kind === 'producer-ended';
  const own = isEnd ? { producerId: record.producerId, number: record.last } : record.usageNumber;
  if (own === undefined) return null;
  const { producerId } = own;
  const producer = producers.get(producerId);
  const number = isEnd ? own.number : own.number - 1;
  const isMissing = producer?.relayId === record.relayId && producer.settledThrough < number;
  return isMissing ? { producerId, number } : null;
};

/** So that usage continues after the log was restored from a backup, or a journal was damaged. */
const passLost = (batch: CommandBatch, { record, occurredAt }: Due): void => {
  const usageNumber = missingBefore(record, batch.state);
  if (usageNumber === null) return;
  const { userId, relayId } = record;
  const data = { userId, relayId, usageNumber, reason: 'lost', isLost: true } as const;
  batch.submit({ type: 'SkipUsageNumber', data, metadata: metadataOf(record, occurredAt) });
};

/** The number of a record that was charged before its producer existed here. */
const passSettled = (batch: CommandBatch, tally: Tally, { record, occurredAt }: Due): void => {
  if (record.kind !== 'used' || record.usageNumber === undefined) return;
  const { userId, relayId, usageNumber } = record;
  const data = { userId, relayId, usageNumber, reason: 'charged before' };
  const metadata = metadataOf(record, occurredAt);
  const decision = batch.submit({ type: 'SkipUsageNumber', data, metadata });
  if (decision.kind === 'rejected') tally.waiting.push(record);
};

const settleOne = (batch: CommandBatch, tally: Tally, due: Due): void => {
  const { record, occurredAt } = due;
  if (due.isOldest) passLost(batch, due);
  if (isSettledInLog(record, batch)) {
    passSettled(batch, tally, due);
    return;
  }
  try {
    const decision = batch.submit(commandOf(record, metadataOf(record, occurredAt)));
    if (decision.kind === 'accepted') count(tally, decision.events);
    else if (decision.code === 'account.usage-gap') tally.waiting.push(record);
    else tally.faulty.push({ record, reason: decision.code });
  } catch (error) {
    tally.faulty.push({ record, reason: String(error) });
  }
};

/**
 * Records of one account, in the order of the relay's journal; each takes effect once. `oldest`:
 * those of them before which nothing can arrive any more.
 */
export const settlementWork = (
  records: readonly Settleable[],
  occurredAt: string,
  oldest: ReadonlySet<Settleable> = new Set(),
): Work<Settled> => {
  /** The end of their producer, which may be in the same batch, makes them no less settled. */
  let settled: ReadonlySet<Settleable> = new Set();
  return {
    size: records.length,
    questions: (state) => {
      settled = new Set(records.filter((record) => isSettledByNumber(record, state)));
      return records.flatMap((record) =>
        isUncertain(record, state) ? [questionOf(record, state)] : [],
      );
    },
    run: (batch) => {
      const tally: Tally = { charged: 0, units: 0, waiting: [], requests: [], faulty: [] };
      for (const record of records) {
        if (settled.has(record)) continue;
        settleOne(batch, tally, { record, occurredAt, isOldest: oldest.has(record) });
      }
      return tally;
    },
  };
};

/**
 * The number of a record that was set aside is passed over, so that those after it are settled. False:
 * it was not its turn.
 */
export const skipWork = (
  { relayId, userId, usageNumber }: RequestUsed | LeaseIdle,
  { reason, occurredAt }: Readonly<{ reason: string; occurredAt: string }>,
): Work<boolean> => ({
  size: 1,
  questions: () => [],
  run: (batch) => {
    if (usageNumber === undefined) return false;
    const cause = `skip/${relayId}/${usageNumber.producerId}/${usageNumber.number}`;
    const metadata = causedMetadata({ kind: 'relay', id: relayId }, cause, occurredAt);
    const data = { userId, relayId, usageNumber, reason: reason.slice(0, maxReason) };
    const decision = batch.submit({ type: 'SkipUsageNumber', data, metadata });
    return decision.kind === 'accepted' && decision.events.length > 0;
  },
});
