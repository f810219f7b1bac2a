/*
 * The output limit in a body as it was sent, under the name of any provider. Texts of callers
 * cannot be mistaken for one: their quotes are escaped.
 */
const limits =
  /"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens|max_new_tokens|maxTokens|MaxTokens|max_tokens_to_sample|num_predict|max_length)"\s*:\s*(\d{1,10})/g;

/** null: none is named. */
export const sentLimit = (body: Buffer): number | null => {
  let largest: number | null = null;
  for (const [, digits] of body.toString('latin1').matchAll(limits)) {
    largest = Math.max(largest ?? 0, Number(digits));
  }
  return largest;
};
