import type { JsonObject } from '../canonical.ts';
import { isObject } from '../json.ts';

const typeOf = (type: unknown, isNullable: boolean): unknown => {
  const own = typeof type === 'string' ? type.toLowerCase() : type;
  return isNullable && typeof own === 'string' ? [own, 'null'] : own;
};

/** A schema of this protocol as JSON Schema has it: lower-case types, null as a type. */
export const jsonSchemaOf = (schema: JsonObject): JsonObject => {
  const { type, nullable, properties, items, anyOf, ...rest } = schema;
  const own: JsonObject = { ...rest };
  if (type !== undefined) own.type = typeOf(type, nullable === true);
  if (isObject(properties)) {
    own.properties = Object.fromEntries(
      Object.entries(properties).map(
        ([name, value]) => [name, isObject(value) ? jsonSchemaOf(value) : value] as const,
      ),
    );
  }
  if (isObject(items)) own.items = jsonSchemaOf(items);
  if (Array.isArray(anyOf))
    own.anyOf = anyOf.map((one) => (isObject(one) ? jsonSchemaOf(one) : one));
  return own;
};
