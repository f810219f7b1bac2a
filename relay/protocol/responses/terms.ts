import type { JsonObject, ResponseTerms } from '../canonical.ts';
import { isObject, objectAt } from '../json.ts';
import { namedTools } from './tools.ts';

/** An answer contains three times what it repeats: longer members are left at their defaults. */
const maxEchoChars = 262_144;

const defaults: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: null,
  user: null,
};

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= maxEchoChars
    : JSON.stringify(value).length <= maxEchoChars;

const echoed = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, usual]) => {
      const value = body[name];
      return [name, value != null && isShort(value) ? value : usual] as const;
    }),
  );

/** What a response repeats of its request, and how it writes the calls of its tools. */
export const termsOf = (body: JsonObject): ResponseTerms => {
  const { effort = null, summary = null } = objectAt(body, 'reasoning');
  const { format, verbosity = 'medium' } = objectAt(body, 'text');
  const shape = isObject(format) && isShort(format) ? format : { type: 'text' };
  return {
    echo: {
      ...echoed(body),
      background: false,
      reasoning: { effort, summary },
      text: { format: shape, verbosity },
      truncation: 'disabled',
    },
    tools: namedTools(body),
  };
};
