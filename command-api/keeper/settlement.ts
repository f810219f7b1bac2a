import type { AccountCommand } from '../../domain/account/commands.ts';
import type {
  LeaseIdle,
  RequestLost,
  RequestUsed,
  UsageRecord,
} from '../../domain/account/messages.ts';
import { type AccountState, abandonmentOf, settlementOf } from '../../domain/account/state.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import { causedMetadata } from '../shared/metadata.ts';
import type { CommandBatch, Work } from './command-batch.ts';
import type { Question } from './lookup.ts';
import { keptFacts } from './redact.ts';

/** The records that change an account. */
export type Settleable = RequestUsed | RequestLost | LeaseIdle;

type Due = Readonly<{ record: Settleable; occurredAt: string }>;
type Faulty = Readonly<{ record: Settleable; reason: string }>;
export type Settled = Readonly<{ charged: number; units: number; faulty: readonly Faulty[] }>;

export const isSettleable = (record: UsageRecord): record is Settleable =>
  record.kind === 'used' || record.kind === 'lost' || record.kind === 'lease-idle';

const metadataOf = (record: Settleable, occurredAt: string): Metadata => {
  const cause = causeOf(record);
  return causedMetadata({ kind: 'relay', id: record.relayId }, cause, occurredAt);
};

const causeOf = (record: Settleable): string => {
  if (record.kind === 'used') return record.call.requestId;
  return record.kind === 'lost' ? record.requestId : record.leaseId;
};

/** `lookUp` has answered for every record that memory could not place, so what is left is new. */
const commandOf = (record: Settleable, metadata: Metadata): AccountCommand => {
  const confirmed = { confirmedNew: true as const };
  if (record.kind === 'used') {
    const { kind: _kind, relayId: _relayId, ...data } = record;
    const call = keptFacts(data.call);
    return { type: 'ChargeRequest', data: { ...data, call, ...confirmed }, metadata };
  }
  if (record.kind === 'lost') {
    const { kind: _kind, sequence: _sequence, ...data } = record;
    return { type: 'AbandonRequest', data: { ...data, ...confirmed }, metadata };
  }
  const { userId, leaseId, unspent } = record;
  return { type: 'ReturnLease', data: { userId, leaseId, unspent }, metadata };
};

const isUncertain = (record: Settleable, state: AccountState): boolean => {
  if (record.kind === 'lease-idle') return false;
  if (record.kind === 'lost') return abandonmentOf(state, record) === 'uncertain';
  const { requestId, relayId } = record.call;
  return settlementOf(state, { requestId, relayId, sequence: record.sequence }) === 'uncertain';
};

const questionOf = (record: RequestUsed | RequestLost, state: AccountState): Question => ({
  about: 'outcome',
  id: record.kind === 'used' ? record.call.requestId : record.requestId,
  notBefore: state.relays.get(record.relayId)?.since ?? 0,
  notOlderThan: record.kind === 'used' ? record.call.startedAt : record.startedAt,
});

/** What the stream knows of it already: a charge is final, an abandonment may still be charged. */
const isSettledInLog = (record: Settleable, { findings }: CommandBatch): boolean => {
  if (record.kind === 'lease-idle') return false;
  if (record.kind === 'lost') return findings.outcomes.has(record.requestId);
  return findings.outcomes.get(record.call.requestId) === 'charged';
};

type Tally = { charged: number; units: number; readonly faulty: Faulty[] };

const settleOne = (batch: CommandBatch, tally: Tally, { record, occurredAt }: Due): void => {
  if (isSettledInLog(record, batch)) return;
  try {
    const decision = batch.submit(commandOf(record, metadataOf(record, occurredAt)));
    if (decision.kind === 'rejected') {
      tally.faulty.push({ record, reason: decision.code });
      return;
    }
    const [event] = decision.events;
    if (event?.type !== 'RequestCharged') return;
    tally.charged += 1;
    tally.units += event.data.amount;
  } catch (error) {
    tally.faulty.push({ record, reason: String(error) });
  }
};

/** Records of one account, in the order of the relay's journal; each takes effect once. */
export const settlementWork = (
  records: readonly Settleable[],
  occurredAt: string,
): Work<Settled> => ({
  size: records.length,
  questions: (state) =>
    records.flatMap((record) =>
      record.kind !== 'lease-idle' && isUncertain(record, state) ? [questionOf(record, state)] : [],
    ),
  run: (batch) => {
    const tally: Tally = { charged: 0, units: 0, faulty: [] };
    for (const record of records) settleOne(batch, tally, { record, occurredAt });
    return tally;
  },
});
