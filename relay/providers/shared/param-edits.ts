import type { ParamEdit } from '../../../domain/channel/param-override.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject } from '../../protocol/json.ts';

type Path = readonly string[];

/** A position in a list, from its end where it is negative; null: there is none. */
const positionIn = (list: readonly unknown[], name: string): number | null => {
  if (!/^-?\d{1,6}$/.test(name)) return null;
  const at = Number(name) < 0 ? list.length + Number(name) : Number(name);
  return at < 0 || at > list.length ? null : at;
};

const memberOf = (owner: unknown, name: string): unknown => {
  if (Array.isArray(owner)) {
    const at = positionIn(owner, name);
    return at === null ? undefined : owner[at];
  }
  return isObject(owner) && Object.hasOwn(owner, name) ? owner[name] : undefined;
};

const valueAt = (owner: unknown, path: Path): unknown => path.reduce(memberOf, owner);

type Change = (known: unknown) => unknown;

const listWith = (list: readonly unknown[], name: string, value: unknown): readonly unknown[] => {
  const at = positionIn(list, name);
  if (at === null) return list;
  return value === undefined ? list.toSpliced(at, 1) : list.toSpliced(at, 1, value);
};

/** The same value with another one at a place; undefined takes the place out. */
const changed = (owner: unknown, [name, ...rest]: Path, change: Change): unknown => {
  if (name === undefined) return change(owner);
  const value = changed(memberOf(owner, name), rest, change);
  if (Array.isArray(owner)) return listWith(owner, name, value);
  if (!isObject(owner)) return value === undefined ? owner : { [name]: value };
  if (value !== undefined) return { ...owner, [name]: value };
  const { [name]: _, ...others } = owner;
  return Object.hasOwn(owner, name) ? others : owner;
};

/** Lists grow by an entry or by those of a list, texts by a text, objects by members. */
const joined = (first: unknown, second: unknown, added: 'first' | 'second'): unknown => {
  const known = added === 'first' ? second : first;
  if (known === undefined) return added === 'first' ? first : second;
  if (Array.isArray(known)) return [first, second].flat();
  if (typeof first === 'string' && typeof second === 'string') return first + second;
  return isObject(first) && isObject(second) ? { ...first, ...second } : known;
};

type Valued = Extract<ParamEdit, { value: unknown }>;

const valued = (body: JsonObject, { mode, path, value, keepOrigin }: Valued): unknown => {
  if (keepOrigin && mode === 'set' && valueAt(body, path) !== undefined) return body;
  return changed(body, path, (known) => {
    if (mode === 'set') return value;
    return mode === 'append' ? joined(known, value, 'second') : joined(value, known, 'first');
  });
};

const moved = (body: JsonObject, from: Path, to: Path): unknown => {
  const value = valueAt(body, from);
  if (value === undefined) return body;
  return changed(
    changed(body, from, () => undefined),
    to,
    () => value,
  );
};

const edited = (body: JsonObject, edit: ParamEdit): unknown => {
  if (edit.mode === 'move') return moved(body, edit.from, edit.to);
  if (edit.mode !== 'delete') return valued(body, edit);
  return valueAt(body, edit.path) === undefined ? body : changed(body, edit.path, () => undefined);
};

/** A request with the operator's edits applied, one after the other. */
export const withParamEdits = (body: JsonObject, edits: readonly ParamEdit[]): JsonObject =>
  edits.reduce<JsonObject>((known, edit) => {
    const next = edited(known, edit);
    return isObject(next) ? next : known;
  }, body);
