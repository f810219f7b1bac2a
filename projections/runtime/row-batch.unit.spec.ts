import { expect, test } from 'vitest';
import { createRowBatch } from './row-batch.ts';
import { defineTable } from './table.ts';

const tables = {
  things: defineTable({
    name: 'things',
    columns: { id: 'int8', name: 'text', total: 'int8' },
    key: ['id'],
    counters: ['total'],
  }),
};
const batch = () => {
  const { writers, changes } = createRowBatch(tables);
  return { things: writers.things, changed: () => [...(changes[0]?.keyed ?? [])] };
};

test('changes of one row become one change', () => {
  const { things, changed } = batch();
  things.add(1, { total: 2 });
  things.patch(1, { name: 'a' });
  things.add(1, { total: 3 });
  expect(changed()).toEqual([[1, { kind: 'update', set: { name: 'a' }, add: { total: 5 } }]]);
});

test('a value that is set drops earlier additions and takes later ones', () => {
  const { things, changed } = batch();
  things.add(1, { total: 2 });
  things.patch(1, { total: 10 });
  things.add(1, { total: 1 });
  expect(changed()).toEqual([[1, { kind: 'update', set: { total: 11 }, add: {} }]]);
});

test('a new row takes the changes that follow it', () => {
  const { things, changed } = batch();
  things.put({ id: 1, name: 'a', total: 0 });
  things.add(1, { total: 4 });
  things.patch(1, { name: 'b' });
  expect(changed()).toEqual([[1, { kind: 'put', row: { id: 1, name: 'b', total: 4 } }]]);
});

test('a row that is gone stays gone until it is put again', () => {
  const { things, changed } = batch();
  things.put({ id: 1, name: 'a', total: 0 });
  things.remove(1);
  things.add(1, { total: 4 });
  things.patch(1, { name: 'b' });
  expect(changed()).toEqual([[1, { kind: 'remove' }]]);
});

test('sums of one key are added up', () => {
  const { writers, changes } = createRowBatch(tables);
  writers.things.accumulate({ id: 1, name: 'x', total: 2 });
  writers.things.accumulate({ id: 1, name: 'x', total: 3 });
  expect(changes[0]?.accumulated).toEqual([{ id: 1, name: 'x', total: 5 }]);
});

test('sums are kept apart by every column of their key', () => {
  const table = { ...tables.things, key: ['id', 'name'], counters: ['total'] } as const;
  const { writers, changes } = createRowBatch({ things: table });
  for (const id of [1, 2, 1]) {
    for (const name of ['1', '2 1']) writers.things.accumulate({ id, name, total: id });
  }
  expect(changes[0]?.accumulated).toEqual([
    { id: 1, name: '1', total: 2 },
    { id: 1, name: '2 1', total: 2 },
    { id: 2, name: '1', total: 2 },
    { id: 2, name: '2 1', total: 2 },
  ]);
});
