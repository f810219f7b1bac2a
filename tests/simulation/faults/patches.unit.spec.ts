import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faults } from './catalogue.ts';
import { applyPatch, type Patch } from './patch.ts';
import { scale } from './scale.ts';

const root = new URL('../../..', import.meta.url).pathname;

const apply = (patches: readonly Patch[]): void => {
  const sources = new Map<string, string>();
  for (const patch of patches) {
    const source = sources.get(patch.file) ?? readFileSync(`${root}${patch.file}`, 'utf8');
    sources.set(patch.file, applyPatch(source, patch));
  }
};

test('the scale of the simulation fits the code of the product', () => {
  expect(() => apply(scale)).not.toThrow();
});

test.each(faults.map(({ name, patches }) => ({ name, patches })))(
  'the planted fault $name fits the code of the product',
  ({ patches }) => {
    expect(() => apply([...scale, ...patches])).not.toThrow();
  },
);
