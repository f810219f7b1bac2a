/** A JSON object, or null when the text is anything else. */
export const jsonObject = (text: string): Readonly<Record<string, unknown>> | null => {
  const parsed = jsonValue(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
  return parsed as Readonly<Record<string, unknown>>;
};

/** undefined when the text is no JSON. */
export const jsonValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
