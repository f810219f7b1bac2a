/*
 * Readers of JSON differ: some match the names of members without regard to case, width or escapes, and use the
 * last match. A body must not be one call for the gateway and another one for such a reader.
 */

/** Members of a body that decide the model, the cost and the prompt. */
const topLevel = [
  ...['model', 'stream', 'stream_options', 'n', 'best_of', 'group', 'store', 'background'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_prompt_tokens'],
  ...['messages', 'prompt', 'input', 'instructions', 'system', 'contents', 'content', 'texts'],
  ...['documents', 'query', 'requests', 'text', 'suffix', 'prediction', 'template', 'raw'],
  ...['systemInstruction', 'system_instruction', 'generationConfig', 'generation_config'],
  ...['cachedContent', 'cached_content', 'toolConfig', 'tool_config', 'generateContentRequest'],
  ...['generate_content_request', 'safetySettings', 'safety_settings', 'embedContentConfig'],
  ...['tools', 'tool_choice', 'functions', 'web_search_options', 'extra_body', 'options'],
  ...['reasoning', 'reasoning_effort', 'thinking', 'service_tier', 'speed', 'modalities', 'audio'],
  ...['previous_response_id', 'conversation', 'thread', 'container', 'context_management'],
  ...['size', 'quality', 'seconds', 'voice', 'format', 'response_format', 'stream_format'],
  ...['file', 'image', 'mask', 'input_reference', 'purpose', 'input_file_id', 'endpoint'],
  ...['completion_window', 'ttl', 'expireTime', 'expire_time', 'custom_id', 'params', 'method'],
  ...['url', 'body', 'action', 'index', 'taskId', 'customId', 'state', 'botType', 'mode'],
  ...['task_id', 'continue_clip_id', 'gpt_description_prompt', 'mv', 'keep_alive', 'think'],
];
/** Of objects that hold limits. */
const nested = [
  ...['maxOutputTokens', 'max_output_tokens', 'candidateCount', 'candidate_count'],
  ...['thinkingConfig', 'thinking_config', 'responseModalities', 'response_modalities'],
  ...['num_predict', 'num_ctx', 'budget_tokens', 'max_tokens', 'type', 'effort', 'include_usage'],
  ...[
    'thinkingBudget',
    'thinking_budget',
    'thinkingLevel',
    'thinking_level',
    'include_obfuscation',
  ],
];
/** Objects that hold limits. */
export const limitHolders = [
  ...['generationConfig', 'generation_config', 'options', 'thinking', 'reasoning'],
  ...['stream_options'],
];

const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

type Names = Readonly<{ exact: ReadonlySet<string>; byFold: ReadonlyMap<string, string> }>;
const namesOf = (list: readonly string[]): Names => ({
  exact: new Set(list),
  byFold: new Map(list.map((name) => [folded(name), name])),
});

const levels = { topLevel: namesOf(topLevel), nested: namesOf(nested) } as const;
export type Level = keyof typeof levels;

/** The known member that a name resembles without being it; null: it resembles none. */
export const resembled = (name: string, level: Level): string | null => {
  const { exact, byFold } = levels[level];
  return exact.has(name) ? null : (byFold.get(folded(name)) ?? null);
};

export const isKnownMember = (name: string, level: Level): boolean => levels[level].exact.has(name);

/** Known names in small letters alone, where they are written with others: these are compared as well. */
export const smallSpellings: readonly string[] = [...topLevel, ...nested]
  .filter((name) => /[A-Z]/.test(name))
  .map(folded);

export type Lookalike = Readonly<{ given: string; known: string }>;

/** The first member of a parsed object that resembles a known one. */
export const lookalikeIn = (object: object, level: Level = 'topLevel'): Lookalike | null => {
  for (const given of Object.keys(object)) {
    const known = resembled(given, level);
    if (known !== null) return { given, known };
  }
  return null;
};
