/**
 * Who reads a translated chat. Members that only some understand go to those alone: `claude` and
 * `gemini` are adapters of those protocols, `compatible` servers take reasoning back, `openai`
 * refuses what it does not know.
 */
export type ChatDialect = 'claude' | 'gemini' | 'compatible' | 'openai';
