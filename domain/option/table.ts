import type { OptionDefinition } from './definition.ts';
import { accessOptions } from './tables/access.ts';
import { moneyOptions, paymentOptions } from './tables/money.ts';
import { relayOptions } from './tables/relay.ts';
import { addressOptions, siteOptions } from './tables/site.ts';

const table = {
  ...accessOptions,
  ...addressOptions,
  ...siteOptions,
  ...moneyOptions,
  ...paymentOptions,
  ...relayOptions,
};

export type OptionKey = keyof typeof table;

/** Every option there is; nothing else can be stored. */
export const optionTable: Readonly<Record<OptionKey, OptionDefinition>> = table;

export const optionKeys = Object.keys(table) as readonly OptionKey[];

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(table, key);

export const isSecretOption = (key: OptionKey): boolean => optionTable[key].kind === 'secret';

const defaults: ReadonlyMap<OptionKey, string> = new Map(
  optionKeys
    .filter((key) => !isSecretOption(key))
    .map((key) => [key, optionTable[key].default] as const),
);

/** The default until an operator changes it; secrets have no default and no place here. */
export const defaultOptions = (): ReadonlyMap<OptionKey, string> => defaults;
