import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject } from '../../../protocol/json.ts';

/** Models that answer by a schema themselves. */
const structured =
  /claude-(?:opus-4-1|(?:opus|sonnet|haiku)-(?:4-(?:[5-9]|1\d)|[5-9]))(?:-|$|@|:|\.)/;

export const knowsSchemas = (model: string): boolean => structured.test(model);

/** Members that the provider's grammar of schemas has as they are. */
const kept: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'required', 'description', 'title', 'default', '$ref', 'format'],
]);
/** Members that only narrow what may be written: the model reads them in the description. */
const narrowing: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength'],
  ...['maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'examples'],
]);
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const listed: ReadonlySet<string> = new Set(['anyOf', 'allOf']);
const ignored: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'additionalProperties',
]);

/** The schema cannot be expressed in the grammar. */
class Inexpressible extends Error {}

const maxDepth = 64;

const withNote = (own: JsonObject, notes: readonly string[]): JsonObject => {
  if (notes.length === 0) return own;
  const known = typeof own.description === 'string' ? `${own.description}\n` : '';
  return { ...own, description: `${known}{${notes.join(', ')}}` };
};

/** Objects hold what is named and nothing else; one that may hold anything has no grammar. */
const closed = (schema: JsonObject, own: JsonObject): JsonObject => {
  if (schema.type !== 'object' && own.properties === undefined) return own;
  const isOpen = isObject(schema.additionalProperties) || schema.additionalProperties === true;
  if (isOpen || own.properties === undefined) throw new Inexpressible();
  return { ...own, additionalProperties: false };
};

/** The schema under a member of a schema; undefined: it has no place in the grammar. */
const memberOf = (name: string, value: unknown, depth: number): unknown => {
  if (named.has(name)) {
    const parts = Object.entries(isObject(value) ? value : {});
    return Object.fromEntries(parts.map(([key, part]) => [key, schemaOf(part, depth)]));
  }
  if (listed.has(name))
    return (Array.isArray(value) ? value : []).map((own) => schemaOf(own, depth));
  if (name === 'items') return schemaOf(value, depth);
  if (kept.has(name)) return value;
  if (ignored.has(name) || narrowing.has(name)) return undefined;
  throw new Inexpressible();
};

const schemaOf = (schema: unknown, depth = 0): JsonObject => {
  if (!isObject(schema) || depth > maxDepth) throw new Inexpressible();
  const members = Object.entries(schema);
  const own = defined(
    Object.fromEntries(members.map(([name, value]) => [name, memberOf(name, value, depth + 1)])),
  );
  const notes = members
    .filter(([name]) => narrowing.has(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return withNote(closed(schema, own), notes);
};

const references = (schema: unknown): readonly string[] =>
  [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)].map((found) => found[1] ?? '');

/** Definitions may name each other, but none of them itself. */
const isRecursive = (schema: JsonObject): boolean => {
  const definitions = { ...Object(schema.definitions), ...Object(schema.$defs) };
  const reaches = (name: string, seen: readonly string[]): boolean =>
    seen.includes(name) ||
    references(definitions[name] ?? {})
      .map((own) => own.split('/').at(-1) ?? '')
      .some((own) => reaches(own, [...seen, name]));
  return (
    references(schema).includes('#') || Object.keys(definitions).some((name) => reaches(name, []))
  );
};

/** The schema in the provider's grammar; null where it has no place there. */
export const structuredSchema = (schema: JsonObject): JsonObject | null => {
  try {
    return isRecursive(schema) ? null : schemaOf(schema);
  } catch (fault) {
    if (fault instanceof Inexpressible) return null;
    throw fault;
  }
};
