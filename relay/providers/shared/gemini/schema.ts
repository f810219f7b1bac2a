import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject, objectAt, parseJson } from '../../../protocol/json.ts';

/** Members of a schema that the provider has. */
const known: readonly string[] = [
  ...['type', 'format', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'required'],
  ...['propertyOrdering', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
];
const textFormats: ReadonlySet<unknown> = new Set(['enum', 'date-time']);
const depthLimit = 64;

type Walk = Readonly<{ root: JsonObject; depth: number; seen: readonly string[] }>;

/** `#/$defs/Name` and the like, inside the same document. */
const resolve = (reference: string, root: JsonObject): unknown =>
  reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((owner, step) => (isObject(owner) ? owner[step] : undefined), root);

const isNull = (schema: unknown): boolean => isObject(schema) && schema.type === 'null';

/** A list of types with null in it is that type, nullable. */
const typed = (schema: JsonObject): JsonObject => {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  const nullable = types.length < schema.type.length ? { nullable: true } : {};
  if (types.length === 1) return { ...schema, ...nullable, type: types[0] };
  const { type: _, ...rest } = schema;
  return { ...rest, ...nullable, anyOf: types.map((type) => ({ type })) };
};

const withoutReference = (
  schema: JsonObject,
  walk: Walk,
): Readonly<{ own: JsonObject; walk: Walk }> => {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== 'string') return { own: schema, walk };
  const target = resolve(reference, walk.root);
  // A schema that contains itself has no end; the provider takes no references.
  if (walk.seen.includes(reference) || !isObject(target)) return { own: rest, walk };
  return { own: { ...target, ...rest }, walk: { ...walk, seen: [...walk.seen, reference] } };
};

const listAt = (schema: JsonObject, member: string): readonly unknown[] => {
  const list = schema[member];
  return Array.isArray(list) ? list : [];
};

const merged = (parts: readonly JsonObject[]): JsonObject => {
  const properties = Object.assign({}, ...parts.map((part) => objectAt(part, 'properties')));
  const required = [...new Set(parts.flatMap((part) => listAt(part, 'required')))];
  const own: JsonObject = Object.assign({}, ...parts);
  if (Object.keys(properties).length > 0) own.properties = properties;
  if (required.length > 0) own.required = required;
  return own;
};

/** Alternatives: null with one other is that other, nullable. */
const alternatives = (schema: JsonObject, walk: Walk): JsonObject => {
  const list = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(list)) return schema;
  const { anyOf: _, oneOf: __, ...rest } = schema;
  const options = list.filter(isObject).filter((option) => !isNull(option));
  const nullable = options.length < list.length ? { nullable: true } : {};
  const [only] = options;
  if (options.length === 1 && only !== undefined) {
    return { ...withoutReference(only, walk).own, ...rest, ...nullable };
  }
  return { ...rest, ...nullable, anyOf: options };
};

const properties = (schema: JsonObject, walk: Walk): JsonObject | undefined => {
  if (!isObject(schema.properties)) return undefined;
  const cleaned = Object.entries(schema.properties).map(
    ([name, own]) => [name, isObject(own) ? clean(own, walk) : {}] as const,
  );
  return cleaned.length === 0 ? undefined : Object.fromEntries(cleaned);
};

const formatOf = (schema: JsonObject): unknown =>
  schema.type === 'string' && !textFormats.has(schema.format) ? undefined : schema.format;

const clean = (schema: JsonObject, outer: Walk): JsonObject => {
  if (outer.depth > depthLimit) return {};
  const { own: plain, walk: inner } = withoutReference(schema, outer);
  const walk = { ...inner, depth: outer.depth + 1 };
  const allOf = Array.isArray(plain.allOf) ? plain.allOf.filter(isObject) : [];
  const parts = allOf.map((part) => withoutReference(part, walk).own);
  const own = typed(alternatives(parts.length === 0 ? plain : merged([plain, ...parts]), walk));
  const kept = Object.fromEntries(known.map((member) => [member, own[member]] as const));
  return defined({
    ...kept,
    format: formatOf(own),
    enum: own.const === undefined ? own.enum : [own.const],
    items: isObject(own.items) ? clean(own.items, walk) : undefined,
    properties: properties(own, walk),
    anyOf: Array.isArray(own.anyOf)
      ? own.anyOf.filter(isObject).map((option) => clean(option, walk))
      : undefined,
  });
};

/** A JSON schema in the part of the language that the provider understands. */
export const cleanSchema = (schema: JsonObject): JsonObject =>
  clean(schema, { root: schema, depth: 0, seen: [] });

/** Parameters of a function; undefined for one that takes none, which must not have any at all. */
export const cleanParameters = (parameters: unknown): JsonObject | undefined => {
  const own = typeof parameters === 'string' ? parseJson(parameters) : parameters;
  if (!isObject(own)) return undefined;
  const schema = cleanSchema(own);
  return schema.type === 'object' && schema.properties === undefined ? undefined : schema;
};
