type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/**
 * `completion_tokens` with the reasoning included. Some compatible servers leave it out and count
 * it in the total alone, which distinguishes them from all others.
 */
export const completionOf = (usage: Fields): unknown => {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const details = usage.completion_tokens_details;
  const reasoning = isFields(details) ? details.reasoning_tokens : undefined;
  if (typeof prompt !== 'number' || typeof completion !== 'number') return completion;
  if (typeof reasoning !== 'number' || reasoning <= 0) return completion;
  return total === prompt + completion + reasoning ? completion + reasoning : completion;
};
