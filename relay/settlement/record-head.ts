import type { UsageRecord } from '../../domain/account/messages.ts';
import type { RequestId, UserId } from '../../domain/shared/ids.ts';

/** The facts of a record that can be read without all of it. */
export type RecordHead = Readonly<{
  kind: UsageRecord['kind'];
  userId: UserId;
  /** null for records of a lease or a producer. */
  requestId: RequestId | null;
  sequence: number;
}>;

const requestIdOf = (record: UsageRecord): RequestId | null => {
  if (record.kind === 'lease-idle' || record.kind === 'producer-ended') return null;
  return record.kind === 'used' || record.kind === 'failed'
    ? record.call.requestId
    : record.requestId;
};

export const headOf = (record: UsageRecord): RecordHead => ({
  kind: record.kind,
  userId: record.userId,
  requestId: requestIdOf(record),
  sequence: record.sequence,
});

const written =
  /^\{"relayId":"(?:[^"\\]|\\.)*","sequence":(\d+),"kind":"([a-z-]+)","userId":(\d+),/;
const request = /"requestId":"([^"]*)"/;

/** From the order in which the journal writes the members; a whole parse would take five times as long. */
export const headOfText = (json: string): RecordHead => {
  const found = written.exec(json);
  if (found === null) return headOf(JSON.parse(json) as UsageRecord);
  const [, sequence, kind, userId] = found;
  return {
    kind: kind as UsageRecord['kind'],
    userId: Number(userId),
    requestId: request.exec(json)?.[1] ?? null,
    sequence: Number(sequence),
  };
};
