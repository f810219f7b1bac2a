/**
 * Who reads a translated chat. Members that only some understand go to those alone: `claude` and
 * `gemini` are adapters of those protocols, as is `converse` of the one that Bedrock has for other
 * models, `compatible` servers take reasoning back, `openai` refuses what it does not know.
 */
export type ChatDialect = 'claude' | 'gemini' | 'converse' | 'compatible' | 'openai';
