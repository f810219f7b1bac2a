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

/** Top-level keys and the JSON text that replaces their values; null: not a JSON object. */
export const parseParamOverride = (text: string): ReadonlyMap<string, string> | null => {
  const parsed = parseObject(text);
  if (parsed === null) return null;
  const map = new Map<string, string>();
  for (const [key, value] of Object.entries(parsed)) {
    if (!fixedKeys.has(key)) map.set(key, JSON.stringify(value));
  }
  return map;
};
