import type { UsageRecord } from '../../domain/account/messages.ts';
import type { JournalItem } from './journal-file.ts';
import { asciiJson } from './record-text.ts';

/** Between the records of a version before: up to this sequence the bus had taken a partition's. */
type ShippedMark = Readonly<{ shipped: readonly (readonly [number, number])[] }>;

const itemOf = (line: string, at: number): JournalItem => {
  try {
    const value = JSON.parse(line) as UsageRecord | ShippedMark;
    if ('shipped' in value) return { kind: 'mark', upTo: value.shipped };
    if (typeof value.sequence === 'number') return { kind: 'record', json: asciiJson(line) };
  } catch {
    // Torn by a crash or a full disk: it was never acknowledged.
  }
  return { kind: 'damage', damage: { kind: 'torn', at, length: line.length } };
};

/** A file of the version before checksums: lines of JSON. */
export const legacyItems = (bytes: Buffer): JournalItem[] => {
  const items: JournalItem[] = [];
  let at = 0;
  for (const line of bytes.toString('utf8').split('\n')) {
    if (line !== '') items.push(itemOf(line, at));
    at += Buffer.byteLength(line) + 1;
  }
  return items;
};
