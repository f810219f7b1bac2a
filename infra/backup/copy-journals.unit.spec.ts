import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { continuedFrame, segmentName } from '../../relay/settlement/journal-file.ts';
import { type Damage, frameOf, scanFrames } from '../../relay/settlement/record-frame.ts';
import { copyJournals } from './copy-journals.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const segmentBytes = 1024 * 1024;
const record = (n: number): Buffer => frameOf(JSON.stringify({ n, text: 'x'.repeat(900) }));

type Scanned = Readonly<{ numbers: number[]; damage: Damage[]; continued: boolean }>;

const scan = (path: string): Scanned => {
  const bytes = readFileSync(path);
  const numbers: number[] = [];
  const damage: Damage[] = [];
  let continued = false;
  scanFrames(bytes, {
    onRecord: (from, to) => {
      const found = JSON.parse(bytes.toString('latin1', from, to));
      if (found.continued === true) continued = true;
      else numbers.push(found.n);
    },
    onDamage: (found) => damage.push(found),
  });
  return { numbers, damage, continued };
};

test('records are copied without the space that is kept for more, and without their owner', async () => {
  const instance = join(folder, 'journal', 'relay-1');
  mkdirSync(instance, { recursive: true });
  mkdirSync(join(folder, 'journal', '.relay-2'));
  writeFileSync(join(instance, 'owner.json'), '{}');
  const bytes = Buffer.concat([record(1), record(2), Buffer.alloc(segmentBytes)]);
  writeFileSync(join(instance, segmentName(1)), bytes);

  const copied = await copyJournals(join(folder, 'journal'), join(folder, 'copy'));
  expect(copied).toEqual([`relay-1/${segmentName(1)}`]);
  expect(readdirSync(join(folder, 'copy'))).toEqual(['relay-1']);
  const copy = readFileSync(join(folder, 'copy', 'relay-1', segmentName(1)));
  expect(copy).toEqual(Buffer.concat([record(1), record(2)]));
});

test('a data folder without journals has none in its copy', async () => {
  expect(await copyJournals(join(folder, 'journal'), join(folder, 'copy'))).toEqual([]);
});

/** Writes records without a pause, file after file, and releases all but the newest two. */
const writeOn = async (instance: string, isGoingOn: () => boolean): Promise<void> => {
  let n = 0;
  for (let file = 1; isGoingOn(); file += 1) {
    const segment: FileHandle = await open(join(instance, segmentName(file)), 'w');
    await segment.write(Buffer.alloc(segmentBytes), 0, segmentBytes, 0);
    let end = 0;
    while (end < segmentBytes - 2_000 && isGoingOn()) {
      n += 1;
      const bytes = record(n);
      await segment.write(bytes, 0, bytes.length, end);
      end += bytes.length;
    }
    if (isGoingOn()) await segment.write(continuedFrame, 0, continuedFrame.length, end);
    await segment.close();
    if (file > 2) await rm(join(instance, segmentName(file - 2)));
  }
};

test('journals that are written meanwhile are copied without a hole or a missing file', async () => {
  const instance = join(folder, 'journal', 'relay-1');
  mkdirSync(instance, { recursive: true });
  let isGoingOn = true;
  const writing = writeOn(instance, () => isGoingOn);
  onTestFinished(() => {
    isGoingOn = false;
  });
  let records = 0;
  for (let copy = 1; copy <= 20; copy += 1) {
    const target = join(folder, `copy-${copy}`);
    await copyJournals(join(folder, 'journal'), target);
    const names = readdirSync(join(target, 'relay-1')).sort();
    const files = names.map((name) => scan(join(target, 'relay-1', name)));
    expect(files.flatMap(({ damage }) => damage)).toEqual([]);
    expect(files.at(-1)?.continued).toBe(false);
    const numbers = files.flatMap((file) => file.numbers);
    const [first = 1] = numbers;
    expect(numbers).toEqual(numbers.map((_, place) => first + place));
    records = Math.max(records, numbers.at(-1) ?? 0);
  }
  isGoingOn = false;
  await writing;
  expect(records).toBeGreaterThan(0);
});
