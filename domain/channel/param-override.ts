import { jsonObject } from '../shared/json.ts';

/** A change of one place in a request; the names from the top down, positions of lists included. */
export type ParamEdit =
  | Readonly<{
      mode: 'set' | 'append' | 'prepend';
      path: readonly string[];
      value: unknown;
      /** What the caller sent stays. */
      keepOrigin: boolean;
    }>
  | Readonly<{ mode: 'delete'; path: readonly string[] }>
  | Readonly<{ mode: 'move'; from: readonly string[]; to: readonly string[] }>;

export type ParamChanges = Readonly<{
  /** By top-level name, the value that replaces the caller's. */
  values: Readonly<Record<string, unknown>>;
  /** In their order, after `values`. */
  edits: readonly ParamEdit[];
}>;

const maxDepth = 32;
const maxEdits = 100;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names between dots; `\.` is a dot inside a name. */
const pathOf = (text: unknown): readonly string[] | null => {
  if (typeof text !== 'string') return null;
  const names = text
    .replaceAll('\\.', '\0')
    .split('.')
    .map((name) => name.replaceAll('\0', '.'));
  return names.length > maxDepth || names.includes('') ? null : names;
};

const editModes = ['set', 'append', 'prepend'] as const;
const knownMembers: ReadonlySet<string> = new Set([
  ...['path', 'mode', 'value', 'keep_origin', 'from', 'to'],
]);

const editOf = (given: unknown): ParamEdit | null => {
  if (!isFields(given) || Object.keys(given).some((name) => !knownMembers.has(name))) return null;
  if (given.mode === 'move') {
    const [from, to] = [pathOf(given.from), pathOf(given.to)];
    return from === null || to === null ? null : { mode: 'move', from, to };
  }
  const path = pathOf(given.path);
  if (path === null) return null;
  if (given.mode === 'delete') return { mode: 'delete', path };
  const mode = editModes.find((known) => known === given.mode);
  if (mode === undefined || given.value === undefined) return null;
  return { mode, path, value: given.value, keepOrigin: given.keep_origin === true };
};

/** A list of changes has modes; any other list is the value of a parameter of that name. */
const isEditList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.some((entry) => isFields(entry) && 'mode' in entry);

/** The parameter override of a channel; null: it cannot be used as it is written. */
export const paramChangesOf = (text: string): ParamChanges | null => {
  if (text.trim() === '') return { values: {}, edits: [] };
  const given = jsonObject(text);
  if (given === null) return null;
  const { operations, ...values } = given;
  if (!isEditList(operations)) return { values: given, edits: [] };
  const edits = operations.map(editOf).filter((edit) => edit !== null);
  return edits.length < operations.length || edits.length > maxEdits ? null : { values, edits };
};
