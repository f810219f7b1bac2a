import { isRecord } from '../../../shared/local-values.ts';
import type { OptionKey } from './option-fields.ts';

/** `ratio`: from 0 on. `limit`: whole, from 1 on. `count`: whole, from 0 on. */
type CellKind = 'text' | 'ratio' | 'limit' | 'count';
type ColumnLabel =
  | 'model'
  | 'group'
  | 'user'
  | 'tool'
  | 'category'
  | 'header'
  | 'value'
  | 'ratio'
  | 'per-call'
  | 'per-thousand'
  | 'description'
  | 'level'
  | 'version'
  | 'requests'
  | 'completed'
  | 'rpm'
  | 'tpm'
  | 'concurrent'
  | 'max-tokens';
export type TableColumn = Readonly<{
  label: ColumnLabel;
  kind: CellKind;
  /** Together with the other keys it names the row, and stays as it is. */
  isKey?: boolean;
  /** May be empty. */
  isOptional?: boolean;
}>;
/** The cells of one row as they are typed. */
export type TableLine = readonly string[];

/** A JSON option as a table. */
export type JsonTable = Readonly<{
  columns: readonly TableColumn[];
  /** Null where the value does not fit into the table. */
  read: (value: unknown) => readonly TableLine[] | null;
  write: (lines: readonly TableLine[]) => unknown;
  /** The required type of the whole, where `read` returns null. */
  shape: 'object' | 'list' | 'rates' | 'limits' | 'headers';
}>;

const decimal = /^\d+(\.\d*)?$/;
/** What is no number stays a text, and is refused as such next to the table. */
const numberOr = (text: string): number | string => (decimal.test(text) ? Number(text) : text);
const cellText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const mapOf = (name: ColumnLabel, value: ColumnLabel, kind: CellKind): JsonTable => ({
  shape: 'object',
  columns: [
    { label: name, kind: 'text', isKey: true },
    { label: value, kind },
  ],
  read: (map) =>
    isRecord(map) ? Object.entries(map).map(([key, item]) => [key, cellText(item)]) : null,
  write: (lines) =>
    Object.fromEntries(
      lines.map(([key = '', item = '']) => [key, kind === 'text' ? item : numberOr(item)]),
    ),
});

const names: JsonTable = {
  shape: 'list',
  columns: [{ label: 'model', kind: 'text', isKey: true }],
  read: (list) => (Array.isArray(list) ? list.map((item) => [cellText(item)]) : null),
  write: (lines) => lines.map(([name]) => name),
};

const groupRates: JsonTable = {
  shape: 'rates',
  columns: [
    { label: 'group', kind: 'text', isKey: true },
    { label: 'requests', kind: 'count' },
    { label: 'completed', kind: 'limit' },
  ],
  read: (map) => {
    if (!isRecord(map)) return null;
    const entries = Object.entries(map);
    const arePairs = entries.every(([, pair]) => Array.isArray(pair) && pair.length === 2);
    if (!arePairs) return null;
    return entries.map(([group, pair]) => [group, ...(pair as readonly unknown[]).map(cellText)]);
  },
  write: (lines) =>
    Object.fromEntries(lines.map(([group = '', ...pair]) => [group, pair.map(numberOr)])),
};

const limitNames = ['requests_per_minute', 'tokens_per_minute', 'concurrent_requests'] as const;

const callLimits = (name: ColumnLabel): JsonTable => ({
  shape: 'limits',
  columns: [
    { label: name, kind: 'text', isKey: true },
    { label: 'rpm', kind: 'limit', isOptional: true },
    { label: 'tpm', kind: 'limit', isOptional: true },
    { label: 'concurrent', kind: 'limit', isOptional: true },
  ],
  read: (map) => {
    if (!isRecord(map)) return null;
    const lines: TableLine[] = [];
    for (const [key, limits] of Object.entries(map)) {
      const isKnown = (limit: string) => limitNames.some((known) => known === limit);
      if (!isRecord(limits) || !Object.keys(limits).every(isKnown)) return null;
      lines.push([
        key,
        ...limitNames.map((limit) => (limit in limits ? cellText(limits[limit]) : '')),
      ]);
    }
    return lines;
  },
  write: (lines) =>
    Object.fromEntries(
      lines.map(([key = '', ...cells]) => {
        const pairs = limitNames.map((limit, at) => [limit, cells[at] ?? ''] as const);
        const set = pairs.filter(([, text]) => text !== '');
        return [key, Object.fromEntries(set.map(([limit, text]) => [limit, numberOr(text)]))];
      }),
    ),
});

const headers: JsonTable = {
  shape: 'headers',
  columns: [
    { label: 'model', kind: 'text', isKey: true },
    { label: 'header', kind: 'text', isKey: true },
    { label: 'value', kind: 'text' },
  ],
  read: (map) => {
    if (!isRecord(map)) return null;
    const lines: TableLine[] = [];
    for (const [model, own] of Object.entries(map)) {
      if (!isRecord(own)) return null;
      for (const [header, value] of Object.entries(own)) {
        if (typeof value !== 'string') return null;
        lines.push([model, header, value]);
      }
    }
    return lines;
  },
  write: (lines) => {
    const models = new Map<string, [string, string][]>();
    for (const [model = '', header = '', value = ''] of lines) {
      models.set(model, [...(models.get(model) ?? []), [header, value]]);
    }
    return Object.fromEntries(
      [...models].map(([model, pairs]) => [model, Object.fromEntries(pairs)]),
    );
  },
};

const modelRatios = mapOf('model', 'ratio', 'ratio');
const groupRatios = mapOf('group', 'ratio', 'ratio');

const tables: Readonly<Partial<Record<OptionKey, JsonTable>>> = {
  GroupRatio: groupRatios,
  UserUsableGroups: mapOf('group', 'description', 'text'),
  TopupGroupRatio: groupRatios,
  ModelPrice: mapOf('model', 'per-call', 'ratio'),
  ModelRatio: modelRatios,
  CacheRatio: modelRatios,
  CompletionRatio: modelRatios,
  AudioRatio: modelRatios,
  AudioCompletionRatio: modelRatios,
  ImageRatio: modelRatios,
  ToolPrice: mapOf('tool', 'per-thousand', 'ratio'),
  ModelRequestRateLimitGroup: groupRates,
  'call_limits.users': callLimits('user'),
  'call_limits.groups': callLimits('group'),
  'call_limits.models': callLimits('model'),
  'open_calls.input_tokens': mapOf('model', 'max-tokens', 'limit'),
  'open_calls.output_tokens': mapOf('model', 'max-tokens', 'limit'),
  'gemini.safety_settings': mapOf('category', 'level', 'text'),
  'gemini.version_settings': mapOf('model', 'version', 'text'),
  'gemini.supported_imagine_models': names,
  'claude.model_headers_settings': headers,
  'claude.default_max_tokens': mapOf('model', 'max-tokens', 'limit'),
};

export const tableOf = (key: OptionKey): JsonTable | null => tables[key] ?? null;

export const readTable = (table: JsonTable, text: string): readonly TableLine[] | null => {
  try {
    return table.read(JSON.parse(text === '' ? (table.shape === 'list' ? '[]' : '{}') : text));
  } catch {
    return null;
  }
};
export const writeTable = (table: JsonTable, lines: readonly TableLine[]): string =>
  JSON.stringify(table.write(lines), null, 2);

type CellFault = 'cell-empty' | 'cell-ratio' | 'cell-count' | 'cell-limit';

const numberFits: Readonly<Record<Exclude<CellKind, 'text'>, (value: number) => boolean>> = {
  ratio: (value) => value <= 1e9,
  count: (value) => Number.isInteger(value) && value <= 2_147_483_647,
  limit: (value) => Number.isInteger(value) && value >= 1 && value <= 2_147_483_647,
};

/** Null: the cell can stay as it is. */
export const cellFault = ({ kind, isKey, isOptional }: TableColumn, text: string) => {
  if (kind === 'text') return isKey && text.trim() === '' ? 'cell-empty' : null;
  if (text === '' && isOptional) return null;
  return decimal.test(text) && numberFits[kind](Number(text)) ? null : (`cell-${kind}` as const);
};

export type LineFault = Readonly<{ line: number; column: number; text: CellFault | 'line-empty' }>;

/** Limits that are all left empty limit nothing. */
const isBare = ({ columns }: JsonTable, line: TableLine): boolean =>
  columns.some(({ isOptional }) => isOptional) &&
  line.every((cell, at) => columns[at]?.isKey === true || cell === '');

/** The first cell that cannot stay as it is. */
export const lineFault = (table: JsonTable, lines: readonly TableLine[]): LineFault | null => {
  for (const [line, cells] of lines.entries()) {
    for (const [column, spec] of table.columns.entries()) {
      const text = cellFault(spec, cells[column] ?? '');
      if (text !== null) return { line, column, text };
    }
    if (isBare(table, cells)) return { line, column: 1, text: 'line-empty' };
  }
  return null;
};

/** What names a line, for labels and messages. */
export const lineName = ({ columns }: JsonTable, line: TableLine): string =>
  line.filter((_, at) => columns[at]?.isKey).join(' · ');
