import { expect, test } from 'vitest';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { vaultOf } from '../../tests/support/vault.ts';
import type { RowStore } from '../runtime/row-store.ts';
import { preparePersonalData } from './personal-data.ts';

const vault = vaultOf('a site');
/** Of events without personal data no key is read. */
const place = { rows: {} as RowStore, schema: 'user_list' };
const open = () => preparePersonalData({ vault, logger: silentLogger }, new Set())([], place);

test('text that a person’s key does not open is shown as empty, and stops nothing', async () => {
  const personal = await open();
  const key = vault.createPersonalKey(7);
  personal.learn(7, key);
  const seal = vault.personalSeal(7, key);
  const name = seal.seal('Ada', 'display-name');
  expect(personal.open(7, name, 'display-name')).toBe('Ada');
  expect(personal.open(7, 'anything', 'display-name')).toBe('');
  expect(personal.open(7, name, 'identity/email')).toBe('');
  personal.learn(8, 'no key at all');
  expect(personal.open(8, name, 'display-name')).toBe('');
});
