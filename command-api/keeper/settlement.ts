import type { AccountCommand } from '../../domain/account/commands.ts';
import type {
  LeaseIdle,
  RequestLost,
  RequestUsed,
  UsageRecord,
} from '../../domain/account/messages.ts';
import { type AccountState, abandonmentOf, settlementOf } from '../../domain/account/state.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { Desk, Work } from './desk.ts';
import type { Question } from './lookup.ts';
import { keptFacts } from './personal-members.ts';

/** The records that move the books of an account. */
export type Settleable = RequestUsed | RequestLost | LeaseIdle;

type Faulty = Readonly<{ record: Settleable; reason: string }>;
export type Settled = Readonly<{ charged: number; units: number; faulty: readonly Faulty[] }>;

export const isSettleable = (record: UsageRecord): record is Settleable =>
  record.kind === 'used' || record.kind === 'lost' || record.kind === 'lease-idle';

const metadataOf = (record: Settleable, occurredAt: string): Metadata => {
  const cause = causeOf(record);
  return {
    actor: { kind: 'relay', id: record.relayId },
    correlationId: cause,
    causationId: cause,
    commandId: cause,
    occurredAt,
    schemaVersion: 1,
  };
};

const causeOf = (record: Settleable): string => {
  if (record.kind === 'used') return record.call.requestId;
  return record.kind === 'lost' ? record.requestId : record.leaseId;
};

const commandOf = (record: Settleable, metadata: Metadata, isNew: boolean): AccountCommand => {
  const confirmed = isNew ? { confirmedNew: true as const } : {};
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
const isSettledInLog = (record: Settleable, { findings }: Desk): boolean => {
  if (record.kind === 'lease-idle') return false;
  if (record.kind === 'lost') return findings.outcomes.has(record.requestId);
  return findings.outcomes.get(record.call.requestId) === 'charged';
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
  run: (desk) => {
    const faulty: Faulty[] = [];
    let charged = 0;
    let units = 0;
    for (const record of records) {
      if (isSettledInLog(record, desk)) continue;
      try {
        const command = commandOf(record, metadataOf(record, occurredAt), true);
        const decision = desk.submit(command);
        if (decision.kind === 'rejected') faulty.push({ record, reason: decision.code });
        else if (record.kind === 'used' && decision.events[0]?.type === 'RequestCharged') {
          charged += 1;
          units += decision.events[0].data.amount;
        }
      } catch (error) {
        faulty.push({ record, reason: String(error) });
      }
    }
    return { charged, units, faulty };
  },
});
