import {
  claude,
  finish,
  gemini,
  noPlace,
  openAi,
  type ReplyFeature,
  reason,
  text,
  textPart,
} from './reply-shapes.ts';
import { at, has } from './tables.ts';

/** How an answer ends, and what it took. */
export const replyEnds: readonly ReplyFeature[] = [
  {
    name: 'an end by length',
    says: {
      openai: openAi({}, { finish_reason: 'length' }),
      claude: claude([text], { stop_reason: 'max_tokens' }),
      gemini: gemini([textPart], { finishReason: 'MAX_TOKENS' }),
    },
    hears: {
      openai: has(finish, 'length'),
      claude: has('stop_reason', 'max_tokens'),
      gemini: has(reason, 'MAX_TOKENS'),
    },
  },
  {
    name: 'an end by itself',
    says: { openai: openAi({}), claude: claude([text]), gemini: gemini([textPart]) },
    hears: {
      openai: has(finish, 'stop'),
      claude: has('stop_reason', 'end_turn'),
      gemini: has(reason, 'STOP'),
    },
  },
  {
    name: 'an end by a filter',
    says: {
      openai: openAi({}, { finish_reason: 'content_filter' }),
      claude: claude([text], { stop_reason: 'refusal' }),
      gemini: gemini([textPart], { finishReason: 'PROHIBITED_CONTENT' }),
    },
    hears: {
      openai: has(finish, 'content_filter'),
      claude: has('stop_reason', 'refusal'),
      gemini: (body) => ['SAFETY', 'PROHIBITED_CONTENT'].includes(String(at(body, reason))),
    },
  },
  {
    name: 'the stop word that ended it',
    says: {
      openai: 'OpenAI does not say which word it was',
      claude: claude([text], { stop_reason: 'stop_sequence', stop_sequence: 'x' }),
      gemini: 'Gemini does not say which word it was',
    },
    hears: {
      openai: has('choices.0.stop_reason', 'x'),
      claude: (body) =>
        at(body, 'stop_reason') === 'stop_sequence' && at(body, 'stop_sequence') === 'x',
      gemini: noPlace,
    },
  },
  {
    name: 'usage with what came from a cache',
    says: {
      openai: openAi(
        {},
        {},
        {
          usage: {
            prompt_tokens: 30,
            completion_tokens: 8,
            total_tokens: 38,
            prompt_tokens_details: { cached_tokens: 10 },
          },
        },
      ),
      claude: claude([text], {
        usage: {
          input_tokens: 20,
          cache_read_input_tokens: 10,
          cache_creation_input_tokens: 0,
          output_tokens: 8,
        },
      }),
      gemini: gemini(
        [textPart],
        {},
        {
          usageMetadata: {
            promptTokenCount: 30,
            cachedContentTokenCount: 10,
            candidatesTokenCount: 8,
            totalTokenCount: 38,
          },
        },
      ),
    },
    hears: {
      openai: (body) =>
        at(body, 'usage.prompt_tokens') === 30 &&
        at(body, 'usage.completion_tokens') === 8 &&
        at(body, 'usage.prompt_tokens_details.cached_tokens') === 10,
      claude: (body) =>
        at(body, 'usage.input_tokens') === 20 &&
        at(body, 'usage.cache_read_input_tokens') === 10 &&
        at(body, 'usage.output_tokens') === 8,
      gemini: (body) =>
        at(body, 'usageMetadata.promptTokenCount') === 30 &&
        at(body, 'usageMetadata.cachedContentTokenCount') === 10 &&
        at(body, 'usageMetadata.candidatesTokenCount') === 8,
    },
  },
  {
    name: 'usage with what was thought',
    says: {
      openai: openAi(
        {},
        {},
        {
          usage: {
            prompt_tokens: 3,
            completion_tokens: 8,
            total_tokens: 11,
            completion_tokens_details: { reasoning_tokens: 5 },
          },
        },
      ),
      claude: 'the Messages API counts thoughts as words',
      gemini: gemini(
        [textPart],
        {},
        {
          usageMetadata: {
            promptTokenCount: 3,
            candidatesTokenCount: 3,
            thoughtsTokenCount: 5,
            totalTokenCount: 11,
          },
        },
      ),
    },
    hears: {
      openai: (body) =>
        at(body, 'usage.completion_tokens') === 8 &&
        at(body, 'usage.completion_tokens_details.reasoning_tokens') === 5,
      claude: has('usage.output_tokens', 8),
      gemini: (body) =>
        at(body, 'usageMetadata.candidatesTokenCount') === 3 &&
        at(body, 'usageMetadata.thoughtsTokenCount') === 5,
    },
  },
];
