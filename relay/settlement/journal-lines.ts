import type { UsageRecord } from '../../domain/account/messages.ts';
import type { JournalEntry } from './journal.ts';
import { placeOf } from './record-bytes.ts';
import { asciiJson } from './record-text.ts';

/** Said between the records: everything of a partition up to this sequence was shipped. */
type ShippedMark = Readonly<{ shipped: readonly (readonly [number, number])[] }>;

export type JournalLine =
  | Readonly<{ kind: 'record'; record: UsageRecord; line: string }>
  | Readonly<{ kind: 'mark'; mark: ShippedMark }>;

/** null: torn by a crash or a full disk. */
const parseLine = (line: string): JournalLine | null => {
  try {
    const value = JSON.parse(line) as UsageRecord | ShippedMark;
    if ('shipped' in value) return { kind: 'mark', mark: value };
    return typeof value.sequence === 'number' ? { kind: 'record', record: value, line } : null;
  } catch {
    return null;
  }
};

/** The whole lines of one file. A torn one was never acknowledged. */
export const parseLines = (text: string): JournalLine[] =>
  text.split('\n').flatMap((line) => {
    const parsed = line === '' ? null : parseLine(line);
    return parsed === null ? [] : [parsed];
  });

export const requestIdOf = (record: UsageRecord): string | null => {
  if (record.kind === 'lease-idle') return null;
  return record.kind === 'used' || record.kind === 'failed'
    ? record.call.requestId
    : record.requestId;
};

export const entryOf = (record: UsageRecord, line: string): JournalEntry => ({
  kind: record.kind,
  userId: record.userId,
  requestId: requestIdOf(record),
  sequence: record.sequence,
  ...placeOf(asciiJson(line)),
});
