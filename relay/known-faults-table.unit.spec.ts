import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { moneyFaults } from './known-faults-money.spec.ts';
import { trafficFaults } from './known-faults-traffic.spec.ts';

/** What goes wrong in gateways of this kind, the spec that shows it does not here, and its title. */
type Fault = readonly [fault: string, file: string, title: string];

const faults: readonly Fault[] = [...moneyFaults, ...trafficFaults];
const root = new URL('..', import.meta.url);

const comment = /^\s*(?:\/\/|\/?\*).*$/gm;
const special = /[.*+?^${}()|[\]\\]/g;

/** A title that runs: behind `test(`, the rows of a `test.each`, or as the name of such a row. */
const titled = (source: string, title: string): boolean => {
  const words = title.replaceAll(special, '\\$&').replaceAll("'", "\\\\?'");
  const place = String.raw`(?:\btest\(|\)\(|\bname:)\s*(['"\x60])${words}\1,`;
  return new RegExp(place).test(source.replaceAll(comment, ''));
};

test.each(faults)('%s: not here', (_fault, file, title) => {
  expect(titled(readFileSync(new URL(file, root), 'utf8'), title), title).toBe(true);
});

test('a title counts where it is the whole name of a test that runs', () => {
  const spec = (text: string): boolean => titled(text, 'a key (of any kind) works');
  expect(spec("test('a key (of any kind) works', () => {});")).toBe(true);
  expect(spec("])(\n  'a key (of any kind) works',\n  (row) => {},\n);")).toBe(true);
  for (const gone of [
    "// test('a key (of any kind) works', () => {});",
    "test.skip('a key (of any kind) works', () => {});",
    "test.todo('a key (of any kind) works');",
    "describe('a key (of any kind) works', () => {});",
    "test('a key (of any kind) works no more', () => {});",
    "expect('a key (of any kind) works').toBe('so');",
  ]) {
    expect(spec(gone), gone).toBe(false);
  }
});
