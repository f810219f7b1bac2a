import { type ParamEdit, paramChangesOf } from '../../domain/channel/param-override.ts';

const parseObject = (text: string): Record<string, unknown> | null => {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return Object.fromEntries(Object.entries(parsed));
  } catch {
    return null;
  }
};

/** A JSON object of texts; "" is empty, numbers become text, null: not a JSON object. */
export const parseTextMap = (text: string): ReadonlyMap<string, string> | null => {
  const parsed = parseObject(text);
  if (parsed === null) return null;
  const map = new Map<string, string>();
  for (const [key, value] of Object.entries(parsed)) {
    if (typeof value === 'string' || typeof value === 'number') map.set(key, String(value));
  }
  return map;
};

/** An override cannot turn streaming on or off, nor the usage report that the bill needs. */
const fixedKeys = new Set(['stream', 'stream_options']);

/** Top-level keys and the JSON text that replaces their values; null: it cannot be used. */
export const parseParamOverride = (text: string): ReadonlyMap<string, string> | null => {
  const parsed = parseObject(text);
  if (parsed === null || paramChangesOf(text) === null) return null;
  const map = new Map<string, string>();
  for (const [key, value] of Object.entries(parsed)) {
    if (!fixedKeys.has(key)) map.set(key, JSON.stringify(value));
  }
  return map;
};

/** What a channel changes in the bodies of requests. */
export type ParamOverride = Readonly<{
  /** Top-level key to JSON text. */
  values: ReadonlyMap<string, string>;
  /** After `values`. */
  edits: readonly ParamEdit[];
}>;

const editsKey = 'operations';
const known = new WeakMap<ReadonlyMap<string, string>, ParamOverride>();

const isFixed = (edit: ParamEdit): boolean =>
  edit.mode === 'move'
    ? fixedKeys.has(edit.from[0] ?? '') || fixedKeys.has(edit.to[0] ?? '')
    : fixedKeys.has(edit.path[0] ?? '');

/** An override with its list of edits apart from the values of single parameters. */
export const paramOverrideOf = (override: ReadonlyMap<string, string>): ParamOverride => {
  const text = override.get(editsKey);
  if (text === undefined) return { values: override, edits: [] };
  const found = known.get(override);
  if (found !== undefined) return found;
  const edits = paramChangesOf(`{"${editsKey}":${text}}`)?.edits ?? [];
  const values = new Map(override);
  if (edits.length > 0) values.delete(editsKey);
  const parts = { values, edits: edits.filter((edit) => !isFixed(edit)) };
  known.set(override, parts);
  return parts;
};
