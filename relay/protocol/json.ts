import type { JsonObject } from './canonical.ts';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** undefined when the text is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

/** null when the text is not a JSON object. */
export const parseObject = (text: string): JsonObject | null => {
  const value = parseJson(text);
  return isObject(value) ? value : null;
};

/** The member as an object; an empty one when it is anything else. */
export const objectAt = (owner: JsonObject, member: string): JsonObject => {
  const value = owner[member];
  return isObject(value) ? value : {};
};

/** The member's objects; none when it is no list. */
export const objectsAt = (owner: JsonObject, member: string): readonly JsonObject[] => {
  const value = owner[member];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** The member as text; "" when it is anything else. */
export const textAt = (owner: JsonObject, member: string): string => {
  const value = owner[member];
  return typeof value === 'string' ? value : '';
};

export const numberAt = (owner: JsonObject, member: string): number | null => {
  const value = owner[member];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** Without members that are undefined; an explicit null, 0 or false stays. */
export const defined = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A copy without the named members. */
export const without = (owner: JsonObject, names: Iterable<string>): JsonObject => {
  const rest = { ...owner };
  for (const name of names) delete rest[name];
  return rest;
};
