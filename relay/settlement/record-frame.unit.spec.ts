import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Damage, frameOf, scanFrames } from './record-frame.ts';

const texts = ['{"a":1}', `{"b":"${'x'.repeat(40)}"}`, '{"c":{"d":{"e":2}}}', '{"f":"}{"}'];

const scan = (bytes: Buffer): { records: string[]; damages: Damage[] } => {
  const records: string[] = [];
  const damages: Damage[] = [];
  scanFrames(bytes, {
    onRecord: (from, to) => records.push(bytes.toString('latin1', from, to)),
    onDamage: (damage) => damages.push(damage),
  });
  return { records, damages };
};
const free = Buffer.alloc(500);
const whole = Buffer.concat([...texts.map(frameOf), free]);
const dataLength = whole.length - free.length;

test('a frame is length, checksum, text and a line feed', () => {
  const frame = frameOf('{"a":1}');
  expect(frame.readUInt32LE(0)).toBe(7);
  expect(frame.readUInt32LE(4)).toBe(crc32('{"a":1}'));
  expect(frame.toString('latin1', 8)).toBe('{"a":1}\n');
});

test('whole records are found, and room that is not used is no damage', () => {
  expect(scan(whole)).toEqual({ records: texts, damages: [] });
  expect(scan(Buffer.alloc(100_000))).toEqual({ records: [], damages: [] });
  expect(scan(Buffer.alloc(0))).toEqual({ records: [], damages: [] });
});

test('whichever bit flips, no altered record is read, and no other record is lost', () => {
  for (let bit = 0; bit < dataLength * 8; bit += 1) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { records, damages } = scan(bytes);
    const lost = texts.filter((text) => !records.includes(text));
    expect(records.filter((text) => !texts.includes(text))).toEqual([]);
    expect(lost.length).toBeLessThanOrEqual(1);
    expect(damages.length).toBe(lost.length);
  }
});

test('a flipped bit in room that is not used costs no record', () => {
  for (let at = dataLength; at < whole.length; at += 7) {
    const bytes = Buffer.from(whole);
    bytes[at] = 16;
    expect(scan(bytes).records).toEqual(texts);
    expect(scan(bytes).damages).toHaveLength(1);
  }
});

test('a write that broke off is distinguished from a flipped bit, at whatever byte it ended', () => {
  const lastFrom = dataLength - frameOf(texts.at(-1) ?? '').length;
  for (let end = lastFrom + 1; end < dataLength - 1; end += 1) {
    const torn = Buffer.concat([whole.subarray(0, end), Buffer.alloc(whole.length - end)]);
    for (const bytes of [torn, whole.subarray(0, end)]) {
      const { records, damages } = scan(bytes);
      expect(records).toEqual(texts.slice(0, -1));
      expect(damages.map(({ kind, at }) => [kind, at])).toEqual([['torn', lastFrom]]);
    }
  }
  const flipped = Buffer.from(whole);
  flipped[lastFrom + 12] = 0x41;
  expect(scan(flipped).damages.map(({ kind }) => kind)).toEqual(['damaged']);
});

test('a record that two flipped bits hide is damaged, not torn, wherever the other one is', () => {
  const lastFrom = dataLength - frameOf(texts.at(-1) ?? '').length;
  const flip = (bytes: Buffer, bit: number): void => {
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  };
  // The line feed and the length of the same record: nothing of it shows any more where it ended.
  const isTellable = (one: number, other: number): boolean =>
    !(one < (lastFrom + 4) * 8 && other >> 3 === dataLength - 1);
  for (let one = lastFrom * 8; one < dataLength * 8; one += 1) {
    for (let other = one + 1; other < whole.length * 8; other += 29) {
      if (!isTellable(one, other)) continue;
      const bytes = Buffer.from(whole);
      flip(bytes, one);
      flip(bytes, other);
      const { records, damages } = scan(bytes);
      if (records.length === texts.length) continue;
      expect(damages.map(({ kind }) => kind)).toEqual(['damaged']);
    }
  }
});

test('a block of zeros in the middle costs the records in it alone', () => {
  const many = Array.from({ length: 60 }, (_, i) => `{"n":${i},"x":"${'y'.repeat(i)}"}`);
  const frames = many.map(frameOf);
  const starts = frames.map((_, i) => frames.slice(0, i).reduce((sum, f) => sum + f.length, 0));
  fc.assert(
    fc.property(fc.nat({ max: 3_000 }), fc.integer({ min: 1, max: 512 }), (from, length) => {
      const bytes = Buffer.concat([...frames, free]);
      bytes.fill(0, from, from + length);
      const untouched = many.filter((_, i) => {
        const start = starts[i] ?? 0;
        const end = start + (frames[i]?.length ?? 0) - 1;
        return end <= from || start >= from + length;
      });
      const { records } = scan(bytes);
      expect(records.filter((text) => !many.includes(text))).toEqual([]);
      expect(untouched.filter((text) => !records.includes(text))).toEqual([]);
    }),
  );
});

test('a file of noise is read to its end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (noise) => {
      expect(scan(Buffer.from(noise)).records).toEqual([]);
    }),
  );
});
