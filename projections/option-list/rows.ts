import type { OptionDefinition } from '../../domain/option/definition.ts';
import { effectiveOptions } from '../../domain/option/read.ts';
import { isInUse, secretSentTo } from '../../domain/option/secret-targets.ts';
import { isOptionKey, type OptionKey, optionTable } from '../../domain/option/table.ts';
import type { OptionRow } from '../contract/option.ts';
import type { StoredState } from './queries.ts';

/** The secret that is stored and sent to the target of this option. */
const secretBehind = (key: OptionKey, { values, secretsSet }: StoredState): string | null => {
  const secret = secretSentTo(key);
  return secret !== null && secretsSet.has(secret) && isInUse(secret, values) ? secret : null;
};

/** Bounds of a number; nothing for the other kinds. */
const boundsOf = (definition: OptionDefinition): Pick<OptionRow, 'min' | 'max'> =>
  definition.kind === 'int' || definition.kind === 'number'
    ? { min: definition.min, max: definition.max }
    : {};

/** Every option but secrets, as it holds now, and who may write it. */
export const optionRows = (state: StoredState): OptionRow[] =>
  [...effectiveOptions(state.values)].flatMap(([key, value]) => {
    if (!isOptionKey(key)) return [];
    const secret = secretBehind(key, state);
    const row = { key, value, writer: optionTable[key].writer, ...boundsOf(optionTable[key]) };
    return [secret === null ? row : { ...row, secret }];
  });
