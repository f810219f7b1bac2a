/**
 * Readers of a translated chat. Members that only some accept are sent to those alone: `claude` and
 * `gemini` are adapters of those protocols, as is `converse` of the one that Bedrock has for other
 * models, `compatible` servers accept reasoning in history, `openai` refuses unknown members.
 */
export type ChatDialect = 'claude' | 'gemini' | 'converse' | 'compatible' | 'openai';
