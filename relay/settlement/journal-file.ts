import type { JournalEntry } from './journal.ts';
import { placeOf } from './record-bytes.ts';
import { type Damage, frameOf, scanFrames } from './record-frame.ts';
import { headOfText, type RecordHead } from './record-head.ts';

const segmentSuffix = '.segment';
const settledSuffix = '.settled';

/** Of each partition: its records up to this sequence are done with. */
type UpTo = readonly (readonly [partition: number, sequence: number])[];

export type JournalItem =
  | Readonly<{ kind: 'record'; json: string }>
  | Readonly<{ kind: 'mark'; upTo: UpTo }>
  | Readonly<{ kind: 'continued' }>
  | Readonly<{ kind: 'damage'; damage: Damage }>;

const markStart = '{"settled":';

export const markFrame = (upTo: UpTo): Buffer => frameOf(JSON.stringify({ settled: upTo }));

const continued = '{"continued":true}';

/** The last record of a full file: the journal continues in the file with the next number. */
export const continuedFrame: Buffer = frameOf(continued);

const itemOf = (json: string): JournalItem => {
  if (json === continued) return { kind: 'continued' };
  if (!json.startsWith(markStart)) return { kind: 'record', json };
  return { kind: 'mark', upTo: (JSON.parse(json) as { settled: UpTo }).settled };
};

export const itemsOf = (bytes: Buffer): JournalItem[] => {
  const items: JournalItem[] = [];
  scanFrames(bytes, {
    onRecord: (from, to) => items.push(itemOf(bytes.toString('latin1', from, to))),
    onDamage: (damage) => items.push({ kind: 'damage', damage }),
  });
  return items;
};

/** The files of a journal are numbered from 1 on. */
export const segmentName = (number: number): string =>
  `${String(number).padStart(8, '0')}${segmentSuffix}`;

/** The file after this one. */
export const segmentAfter = (name: string): string => segmentName(Number.parseInt(name, 10) + 1);

/** What is left of a file of which every record is settled: its name, and nothing that it held. */
export const settledName = (segment: string): string =>
  segment.replace(segmentSuffix, settledSuffix);

/** Before any file is settled. */
export const noneSettled = settledName(segmentName(0));

/**
 * The first file that is gone though its records were not settled, of those before the oldest that is there:
 * files are removed in their order. null: none is missing.
 */
export const missingSegment = (names: readonly string[]): string | null => {
  const settled = names.filter((name) => name.endsWith(settledSuffix)).sort();
  const [oldest] = names.filter((name) => name.endsWith(segmentSuffix)).sort();
  if (oldest === undefined) return null;
  const next = segmentAfter(settled.at(-1) ?? noneSettled);
  return oldest > next ? next : null;
};

/** Names of the files that hold records, oldest first. */
export const journalFiles = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(segmentSuffix)).sort();

export const entryOf = (head: RecordHead, json: string): JournalEntry => ({
  ...head,
  request: null,
  ...placeOf(json),
});

/** Records of a segment whose head is needed. */
export const wantedEntries = (
  items: readonly JournalItem[],
  isWanted: (head: RecordHead) => boolean,
): JournalEntry[] =>
  items.flatMap((item) => {
    if (item.kind !== 'record') return [];
    const head = headOfText(item.json);
    return isWanted(head) ? [entryOf(head, item.json)] : [];
  });
