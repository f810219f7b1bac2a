import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../../protocol/json.ts';

type Key = string | number;
type Container = JsonObject | unknown[];

/** Steps of a path; deeper ones would not be written back as JSON. */
const maxDepth = 64;
const step = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g;

const keysOf = (path: string): readonly Key[] =>
  [...path.matchAll(step)].map(([, name, place, single, double]) =>
    place === undefined ? (name ?? single ?? double ?? '') : Number(place),
  );

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isObject(value);

const valueAt = (owner: Container, key: Key): unknown => {
  if (Array.isArray(owner)) return typeof key === 'number' ? owner[key] : undefined;
  return Object.hasOwn(owner, key) ? owner[key] : undefined;
};

/** Members of a list arrive in order: an index beyond its end is invalid. */
const put = (owner: Container, key: Key, value: unknown): void => {
  if (!Array.isArray(owner)) {
    const own = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(owner, key, own);
  } else if (typeof key === 'number' && key <= owner.length) owner[key] = value;
};

const containerAt = (owner: Container, key: Key, next: Key): Container => {
  const known = valueAt(owner, key);
  if (isContainer(known)) return known;
  const made: Container = typeof next === 'number' ? [] : {};
  put(owner, key, made);
  return made;
};

const valueIn = (piece: JsonObject): unknown => {
  if (piece.nullValue !== undefined) return null;
  return piece.stringValue ?? piece.numberValue ?? piece.boolValue;
};

/** One piece of the arguments at its place; texts grow. */
const addPiece = (args: JsonObject, piece: JsonObject): void => {
  const keys = keysOf(textAt(piece, 'jsonPath'));
  const value = valueIn(piece);
  const last = keys.at(-1);
  if (last === undefined || keys.length > maxDepth || value === undefined) return;
  let owner: Container = args;
  for (const [at, key] of keys.slice(0, -1).entries()) {
    owner = containerAt(owner, key, keys[at + 1] ?? '');
  }
  const known = valueAt(owner, last);
  put(owner, last, typeof known === 'string' && typeof value === 'string' ? known + value : value);
};

/**
 * Calls whose arguments arrive in pieces, each with its path, where a caller requested it. The name
 * is part of the first piece, and all but the last announce more.
 */
export class PartialCalls {
  private open: Readonly<{ part: JsonObject; args: JsonObject }> | null = null;

  /** The part as it would be in one piece; null: there is more of it. */
  add(part: JsonObject): JsonObject | null {
    const call = objectAt(part, 'functionCall');
    const isNamed = textAt(call, 'name') !== '';
    if (isNamed && call.willContinue !== true && call.partialArgs === undefined) return part;
    if (isNamed || this.open === null) {
      const args = isObject(call.args) ? { ...call.args } : {};
      this.open = { part, args };
    }
    for (const piece of objectsAt(call, 'partialArgs')) addPiece(this.open.args, piece);
    return call.willContinue === true ? null : this.end();
  }

  /** A call whose last piece never arrived; null: there is none. */
  end(): JsonObject | null {
    if (this.open === null) return null;
    const { part, args } = this.open;
    this.open = null;
    const { partialArgs: _, willContinue: __, ...call } = objectAt(part, 'functionCall');
    return textAt(call, 'name') === '' ? null : { ...part, functionCall: { ...call, args } };
  }
}
