import { xai as facts } from '../../../domain/channel/providers/xai.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { objectAt, without } from '../../protocol/json.ts';
import { splitEffort, withCompletionLimit } from '../shared/effort.ts';
import { openAiLike } from '../shared/openai-like.ts';
import { completionOf } from '../shared/reasoning-beside.ts';
import type { TranslatingAdapter, TranslationContext } from '../translate.ts';

const isReasoning = (model: string): boolean => /^grok-(3-mini|4)/.test(model);
const takesEffort = (model: string): boolean => model.startsWith('grok-3-mini');

const withSearch = (body: JsonObject): JsonObject => {
  const { model } = body;
  if (typeof model !== 'string' || !model.endsWith('-search')) return body;
  return {
    ...body,
    model: model.slice(0, -'-search'.length),
    search_parameters: body.search_parameters ?? { mode: 'on' },
  };
};

const withEffort = (body: JsonObject): JsonObject => {
  if (typeof body.model !== 'string' || !takesEffort(body.model)) return body;
  const { model, effort } = splitEffort(body.model);
  const limited = { ...withCompletionLimit(body), model };
  return effort === null ? limited : { ...limited, reasoning_effort: effort };
};

const chatBody = (body: JsonObject): JsonObject => {
  const searching = withSearch(body);
  const isRefusing = isReasoning(String(searching.model));
  const refused = ['presence_penalty', 'frequency_penalty', 'stop'];
  return withEffort(isRefusing ? without(searching, refused) : searching);
};

const bodyOf = (body: JsonObject, { call }: TranslationContext): JsonObject => {
  if (call.operation === 'images') return without(body, ['size']);
  return call.operation === 'chat' ? chatBody(body) : body;
};

/** Reasoning is not part of `completion_tokens` here, and is with all other providers. */
const usage = (reported: JsonObject): JsonObject => {
  const completion = completionOf(reported);
  const { completion_tokens: text } = reported;
  if (completion === text) return reported;
  const details = objectAt(reported, 'completion_tokens_details');
  return {
    ...reported,
    completion_tokens: completion,
    completion_tokens_details: { ...details, text_tokens: text },
  };
};

/** Usage is cumulative and on every chunk; the last one counts. */
export const xai: TranslatingAdapter = openAiLike({
  operations: ['chat', 'completions', 'embeddings', 'images'],
  baseUrl: facts.baseUrl,
  streamUsage: 'ask',
  body: bodyOf,
  usage,
});
