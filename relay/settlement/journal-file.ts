import type { JournalEntry } from './journal.ts';
import { legacyItems } from './journal-legacy.ts';
import { placeOf } from './record-bytes.ts';
import { type Damage, frameOf, scanFrames } from './record-frame.ts';
import { headOfText, type RecordHead } from './record-head.ts';

export const segmentSuffix = '.segment';
const legacySuffix = '.log';

/** Of each partition: its records up to this sequence are done with. */
type UpTo = readonly (readonly [partition: number, sequence: number])[];

export type JournalItem =
  | Readonly<{ kind: 'record'; json: string }>
  | Readonly<{ kind: 'mark'; upTo: UpTo }>
  | Readonly<{ kind: 'damage'; damage: Damage }>;

const markStart = '{"settled":';

export const markFrame = (upTo: UpTo): Buffer => frameOf(JSON.stringify({ settled: upTo }));

const segmentItems = (bytes: Buffer): JournalItem[] => {
  const items: JournalItem[] = [];
  scanFrames(bytes, {
    onRecord: (from, to) => {
      const json = bytes.toString('latin1', from, to);
      if (!json.startsWith(markStart)) items.push({ kind: 'record', json });
      else items.push({ kind: 'mark', upTo: (JSON.parse(json) as { settled: UpTo }).settled });
    },
    onDamage: (damage) => items.push({ kind: 'damage', damage }),
  });
  return items;
};

/** Names of the files that hold records, oldest first. */
export const journalFiles = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(segmentSuffix) || name.endsWith(legacySuffix)).sort();

export const itemsOf = (name: string, bytes: Buffer): JournalItem[] =>
  name.endsWith(legacySuffix) ? legacyItems(bytes) : segmentItems(bytes);

export const entryOf = (head: RecordHead, json: string): JournalEntry => ({
  ...head,
  request: null,
  ...placeOf(json),
});

/** Records of a segment whose head is wanted. */
export const wantedEntries = (
  items: readonly JournalItem[],
  isWanted: (head: RecordHead) => boolean,
): JournalEntry[] =>
  items.flatMap((item) => {
    if (item.kind !== 'record') return [];
    const head = headOfText(item.json);
    return isWanted(head) ? [entryOf(head, item.json)] : [];
  });
