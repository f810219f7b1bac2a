type Item = Record<string, unknown>;

const copyOf = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // JSON has no minus zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      return value === null ? null : copyOfObject(value);
    case 'bigint':
      throw new TypeError('JSON has no bigint');
    default:
      return undefined;
  }
};

const copyOfObject = (value: object): unknown => {
  if (Array.isArray(value)) return value.map((item) => copyOf(item) ?? null);
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyOf(value.toJSON());
  const copy: Item = {};
  for (const name of Object.keys(value)) {
    const copied = copyOf((value as Item)[name]);
    if (copied !== undefined) copy[name] = copied;
  }
  return copy;
};

/** What `JSON.parse(JSON.stringify(value))` gives, in a fraction of its time. */
export const plainCopy = <T extends object>(value: T): T => copyOf(value) as T;
