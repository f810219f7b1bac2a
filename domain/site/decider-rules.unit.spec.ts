import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aChangeOption } from '../../tests/support/site-examples.ts';
import { optionText } from '../option/read.ts';
import { isOptionKey, optionTable } from '../option/table.ts';
import { siteDecider } from './decider.ts';

const keys = Object.keys(optionTable).filter(isOptionKey);
const jsonKeys = keys.filter((key) => optionTable[key].kind === 'json');
const numberKeys = keys.filter((key) => ['int', 'number'].includes(optionTable[key].kind));

const text = fc.oneof(
  fc.json(),
  fc.json().map((valid) => valid.slice(0, -1)),
  fc.dictionary(fc.string(), fc.double()).map((map) => JSON.stringify(map)),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'null', '{}', '[]', '{"default":1}', '{"default":-1}', 'NaN', '1e999'),
);
const change = fc
  .tuple(fc.constantFrom(...keys), text)
  .map(([key, value]) => aChangeOption(key, value, 100));

test('no sequence of saves leaves an unreadable option', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (commands) => {
      let state = siteDecider.initialState;
      for (const command of commands) {
        const decision = siteDecider.decide(command, state);
        if (decision.kind === 'rejected') continue;
        state = decision.events.reduce(siteDecider.evolve, state);
      }
      for (const key of jsonKeys) {
        const parsed: unknown = JSON.parse(optionText(state.options, key));
        expect(typeof parsed === 'object' && parsed !== null).toBe(true);
      }
      for (const key of numberKeys) {
        expect(Number.isFinite(Number(optionText(state.options, key)))).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
