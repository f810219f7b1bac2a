import { isRecord } from '../../../shared/local-values.ts';
import type { OptionChange, Options } from '../api/options.ts';

/** Decimals as typed; empty where nothing is set. A price beats the ratios. */
export type RatioRow = Readonly<{ name: string; price: string; ratio: string; completion: string }>;
export const ratioColumns = ['price', 'ratio', 'completion'] as const;
export type RatioColumn = (typeof ratioColumns)[number];

const optionOf = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
} as const;

const mapOf = (text: string | undefined): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

export const rowsOf = (options: Options): readonly RatioRow[] => {
  const price = mapOf(options.get(optionOf.price));
  const ratio = mapOf(options.get(optionOf.ratio));
  const completion = mapOf(options.get(optionOf.completion));
  const names = new Set([price, ratio, completion].flatMap(Object.keys));
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return [...names].sort().map((name) => ({
    name,
    price: text(price[name]),
    ratio: text(ratio[name]),
    completion: text(completion[name]),
  }));
};

export const isDecimal = (text: string): boolean => text === '' || /^\d+(\.\d*)?$/.test(text);

/** Rows with a price go into the prices only, others into the ratios. */
export const changesOf = (rows: readonly RatioRow[]): readonly OptionChange[] =>
  ratioColumns.map((column) => {
    const pairs = rows
      .filter((row) => row[column] !== '' && (column === 'price' || row.price === ''))
      .map((row) => [row.name, Number(row[column])] as const);
    return { key: optionOf[column], value: JSON.stringify(Object.fromEntries(pairs)) };
  });

const textOf = ({ name, ...values }: RatioRow): string =>
  [name, ...ratioColumns.map((column) => values[column])].join('\n');

/** How many models were added, removed or given other numbers. */
export const changedRows = (before: readonly RatioRow[], after: readonly RatioRow[]): number => {
  const old = new Map(before.map((row) => [row.name, textOf(row)]));
  const names = new Set(after.map(({ name }) => name));
  const removed = before.filter(({ name }) => !names.has(name)).length;
  return removed + after.filter((row) => old.get(row.name) !== textOf(row)).length;
};
