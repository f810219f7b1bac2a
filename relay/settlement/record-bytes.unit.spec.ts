import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittingInto, type Place, placeOf, RecordBytes, textOf } from './record-bytes.ts';
import { scanFrames } from './record-frame.ts';

const first = '{"first":"line"}';

/** As the shipper cuts them, without the first lines. */
const linesOf = (places: readonly Place[]): string[] => {
  const lines: string[] = [];
  for (let from = 0; from < places.length; ) {
    const count = fittingInto(places, from, first.length);
    const [head, ...rest] = textOf(first, places.slice(from, from + count)).split('\n');
    expect(head).toBe(first);
    lines.push(...rest);
    from += count;
  }
  return lines;
};

const recordsIn = (bytes: Buffer): string[] => {
  const found: string[] = [];
  scanFrames(bytes, {
    onRecord: (from, to) => found.push(bytes.toString('latin1', from, to)),
    onDamage: () => expect.unreachable(),
  });
  return found;
};

/** Some of them longer than a slab. */
const line = fc
  .tuple(fc.string({ minLength: 1, maxLength: 40 }), fc.constantFrom(1, 100, 3_000))
  .map(([text, times]) => `{${text.replace(/[^ -~]/g, '?').repeat(times)}}`);

test('what was written is read back line by line, and from the file record by record', () => {
  fc.assert(
    fc.property(fc.array(fc.array(line)), (ticks) => {
      const bytes = new RecordBytes();
      const taken: Buffer[] = [];
      const places = ticks.flatMap((lines) => {
        const added = lines.map((text) => bytes.add(text));
        taken.push(...bytes.take());
        return added;
      });
      const all = ticks.flat();
      expect(linesOf(places)).toEqual(all);
      expect(recordsIn(Buffer.concat(taken))).toEqual(all);
    }),
  );
});

test('records of many slabs leave in short-lived texts, whichever of them are needed', () => {
  const bytes = new RecordBytes();
  const places = Array.from({ length: 1_000 }, (_, i) => bytes.add(`${i} ${'x'.repeat(500)}`));
  const wanted = places.filter((_, i) => i % 3 === 0);
  const fitting = wanted.slice(0, fittingInto(wanted, 0, first.length));
  expect(fitting.length).toBeGreaterThan(100);
  expect(textOf(first, fitting).length).toBeLessThanOrEqual(65_536);
  const numbers = linesOf(wanted).map((text) => Number.parseInt(text, 10));
  expect(numbers).toEqual(Array.from({ length: 334 }, (_, i) => i * 3));
});

test('what is released makes room, and never for the bytes of a record that is still needed', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(line, fc.nat({ max: 9 })), { maxLength: 300 }), (records) => {
      const bytes = new RecordBytes();
      let wanted: { text: string; place: ReturnType<RecordBytes['add']> }[] = [];
      for (const [text, kept] of records) {
        wanted.push({ text, place: bytes.add(text) });
        bytes.take();
        const over = wanted.slice(0, -kept || undefined);
        for (const { place } of over) bytes.release(place);
        wanted = wanted.slice(over.length);
        const read = linesOf(wanted.map(({ place }) => place));
        expect(read).toEqual(wanted.map(({ text: own }) => own));
      }
    }),
    { numRuns: 20 },
  );
});

test('a slab is used again once all of its records are given up, and only then', () => {
  const bytes = new RecordBytes();
  const text = 'x'.repeat(30_000);
  const [first, second] = [bytes.add(text), bytes.add(text)];
  const slab = first.slab;
  bytes.add(text);
  bytes.release(first);
  bytes.release(first);
  bytes.add(text);
  expect(bytes.add(text).slab).not.toBe(slab);
  bytes.release(second);
  bytes.add(text);
  expect(bytes.add(text).slab).toBe(slab);
});

test('a record that was released is not read as another one', () => {
  const bytes = new RecordBytes();
  const place = bytes.add('{}');
  bytes.release(place);
  expect(() => linesOf([place])).toThrow('released');
});

test('a record by itself is a text by itself', () => {
  expect(linesOf([placeOf('{"a":1}')])).toEqual(['{"a":1}']);
  expect(linesOf([])).toEqual([]);
});
