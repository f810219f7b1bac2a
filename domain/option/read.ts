import { defaultOptions, type OptionKey, optionTable } from './table.ts';

/** Stored values; an absent key has its default. */
export type StoredOptions = ReadonlyMap<string, string>;

export const optionText = (options: StoredOptions, key: OptionKey): string =>
  options.get(key) ?? defaultOptions().get(key) ?? '';

export const optionIsOn = (options: StoredOptions, key: OptionKey): boolean =>
  optionText(options, key) === 'true';

export const optionNumber = (options: StoredOptions, key: OptionKey): number =>
  Number(optionText(options, key));

/** Entries of a list option: domains are separated by commas, everything else by lines. */
export const optionList = (options: StoredOptions, key: OptionKey): readonly string[] =>
  optionText(options, key)
    .split(optionTable[key].kind === 'domains' ? ',' : '\n')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** All options as they hold now, defaults filled in. */
export const effectiveOptions = (options: StoredOptions): ReadonlyMap<string, string> =>
  new Map([...defaultOptions(), ...options]);
