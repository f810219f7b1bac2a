/** Models that reason before they answer, in text that their answers may leave out. */
const thinking =
  /(?:^|[/.-])o[1-9](?:$|-)|gpt-5|gpt-oss|codex|claude-(?:3-7|(?:opus|sonnet|haiku)-[4-9]|[4-9])|gemini-(?:2\.5|[3-9])|deepseek-(?:r|reasoner|v3\.[1-9]|v[4-9])|grok-(?:3-mini|[4-9])|qwq|qwen3|qwen-(?:plus|turbo|flash|max)|think|reason|magistral|glm-(?:4\.[5-9]|[5-9]|z1)|kimi-k[2-9]|minimax-m|doubao|hunyuan|ernie-(?:x|[5-9])|step-[2-9]|deep-research/i;

/** Models that do not, by the names that their makers gave them. */
const plain =
  /^(?:gpt-3\.5|gpt-4(?!\.5)|gpt-4o|chatgpt-4o|text-|davinci|babbage|claude-(?:1|2|instant|3-(?:opus|sonnet|haiku|5))|gemini-(?:pro|1|2\.0)|gemma|llama|mistral|mixtral|open-mi|codestral|command-(?!a-reasoning)|moonshot-v1|deepseek-chat|palm|chat-bison)/i;

/** Makers whose limit of an answer holds thoughts as well, whatever the member is called. */
const strict = /^(?:.*\/)?(?:o[1-9]|gpt-|chatgpt|codex|deepseek|gemini|claude)/i;

/** Models that search on their own initiative. */
const searching = /search|sonar|compound|deep-research|online|-net$|^bot-/i;

export const mayThink = (model: string): boolean => thinking.test(model);
export const neverThinks = (model: string): boolean => plain.test(model) && !thinking.test(model);
export const limitsThoughts = (model: string): boolean => strict.test(model);
export const maySearch = (model: string): boolean => searching.test(model);
