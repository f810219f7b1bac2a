import type { JsonObject } from '../../providers/translate.ts';
import { at, type Caller, has, type Shape, type Sight } from './tables.spec.ts';

export type ReplyFeature = Readonly<{
  name: string;
  /** The whole answer of a provider, or why it never says so. */
  says: Readonly<Record<Shape, JsonObject | string>>;
  /** How a caller hears of it, or why he cannot. */
  hears: Readonly<Record<Caller, Sight | string>>;
  /** What one pair alone cannot do: `caller>shape`, or with ` streamed` behind it. */
  pairs?: Readonly<Record<string, string>>;
}>;

const openAi = (message: object, more: object = {}, top: object = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm-1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hi', ...message },
      finish_reason: 'stop',
      ...more,
    },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  ...top,
});
const text = { type: 'text', text: 'Hi' };
const claude = (content: readonly object[], more: object = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
  ...more,
});
const gemini = (parts: readonly object[], more: object = {}, top: object = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...more }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'm-1',
  responseId: 'resp-1',
  ...top,
});
const said = { text: 'Hi' };

const picture = 'aGVsbG8=';
const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: `{"a":"${id}"}` },
  ...more,
});
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: { a: id } });
const asked = (id: string) => ({ functionCall: { id, name: 'f', args: { a: id } } });
const string = (value: unknown): string => JSON.stringify(value ?? '');

const finish = 'choices.0.finish_reason';
const reason = 'candidates.0.finishReason';
const theirs = 'a proof is worth nothing to anybody but the provider that gave it';
const noPlace = 'the protocol of the caller has no place for it';
const onlyText = 'the Messages API answers with text alone';

export const replyFeatures: readonly ReplyFeature[] = [
  {
    name: 'the words, the name of the model and the id',
    says: { openai: openAi({}), claude: claude([text]), gemini: gemini([said]) },
    hears: {
      openai: (body) =>
        at(body, 'choices.0.message.content') === 'Hi' && at(body, 'model') === 'm-1',
      claude: (body) => at(body, 'content.0.text') === 'Hi' && String(at(body, 'id')) !== '',
      gemini: (body) => at(body, 'candidates.0.content.parts.0.text') === 'Hi',
    },
  },
  {
    name: 'the text of reasoning',
    says: {
      openai: openAi({ reasoning_content: 'Hm' }),
      claude: claude([{ type: 'thinking', thinking: 'Hm', signature: 'sig' }, text]),
      gemini: gemini([{ text: 'Hm', thought: true }, said]),
    },
    hears: {
      openai: has('choices.0.message.reasoning_content', 'Hm'),
      claude: has('content.0.thinking', 'Hm'),
      gemini: (body) =>
        at(body, 'candidates.0.content.parts.0.text') === 'Hm' &&
        at(body, 'candidates.0.content.parts.0.thought') === true,
    },
  },
  {
    name: 'the signature of reasoning',
    says: {
      openai: openAi({
        reasoning_content: 'Hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'sig', index: 0 }],
      }),
      claude: claude([{ type: 'thinking', thinking: 'Hm', signature: 'sig' }, text]),
      gemini: gemini([{ ...asked('c1'), thoughtSignature: 'sig' }]),
    },
    hears: {
      openai: (body) => string(at(body, 'choices.0.message')).includes('"sig"'),
      claude: has('content.0.signature', 'sig'),
      gemini: (body) => string(at(body, 'candidates')).includes('"thoughtSignature":"sig"'),
    },
    pairs: { 'claude>gemini': theirs, 'gemini>claude': theirs, 'gemini>openai': theirs },
  },
  {
    name: 'two tool calls at once',
    says: {
      openai: openAi(
        { content: null, tool_calls: [call('c1'), call('c2')] },
        { finish_reason: 'tool_calls' },
      ),
      claude: claude([use('c1'), use('c2')], { stop_reason: 'tool_use' }),
      gemini: gemini([asked('c1'), asked('c2')]),
    },
    hears: {
      openai: (body) =>
        at(body, 'choices.0.message.tool_calls.1.id') === 'c2' &&
        at(body, 'choices.0.message.tool_calls.0.function.arguments') === '{"a":"c1"}' &&
        at(body, finish) === 'tool_calls',
      claude: (body) =>
        at(body, 'content.1.id') === 'c2' &&
        at(body, 'content.0.input.a') === 'c1' &&
        at(body, 'stop_reason') === 'tool_use',
      gemini: (body) =>
        at(body, 'candidates.0.content.parts.1.functionCall.id') === 'c2' &&
        at(body, 'candidates.0.content.parts.0.functionCall.args.a') === 'c1',
    },
  },
  {
    name: 'citations',
    says: {
      openai: openAi({
        annotations: [
          {
            type: 'url_citation',
            url_citation: { url: 'https://a.test/', title: 'A', start_index: 0, end_index: 2 },
          },
        ],
      }),
      claude: claude([
        {
          ...text,
          citations: [
            {
              type: 'web_search_result_location',
              url: 'https://a.test/',
              title: 'A',
              cited_text: 'c',
              encrypted_index: 'e',
            },
          ],
        },
      ]),
      gemini: gemini([said], {
        groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.test/', title: 'A' } }] },
      }),
    },
    hears: {
      openai: has('choices.0.message.annotations.0.url_citation.url', 'https://a.test/'),
      claude: (body) => string(at(body, 'content')).includes('"url":"https://a.test/"'),
      gemini: (body) => string(at(body, 'candidates')).includes('"uri":"https://a.test/"'),
    },
  },
  {
    name: 'probabilities of tokens',
    says: {
      openai: openAi(
        {},
        {
          logprobs: {
            content: [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] }],
            refusal: null,
          },
        },
      ),
      claude: 'the Messages API has none',
      gemini: gemini([said], {
        logprobsResult: {
          chosenCandidates: [{ token: 'Hi', logProbability: -0.5 }],
          topCandidates: [],
        },
      }),
    },
    hears: {
      openai: has('choices.0.logprobs.content.0.logprob', -0.5),
      claude: noPlace,
      gemini: has('candidates.0.logprobsResult.chosenCandidates.0.logProbability', -0.5),
    },
  },
  {
    name: 'a refusal',
    says: {
      openai: openAi({ content: null, refusal: 'I will not' }),
      claude: claude([{ type: 'text', text: 'I will not' }], { stop_reason: 'refusal' }),
      gemini: gemini([{ text: 'I will not' }], { finishReason: 'SAFETY' }),
    },
    hears: {
      openai: (body) =>
        at(body, 'choices.0.message.refusal') === 'I will not' ||
        at(body, finish) === 'content_filter',
      claude: (body) =>
        string(at(body, 'content')).includes('I will not') && at(body, 'stop_reason') === 'refusal',
      gemini: (body) => string(at(body, 'candidates')).includes('I will not'),
    },
  },
  {
    name: 'an end by length',
    says: {
      openai: openAi({}, { finish_reason: 'length' }),
      claude: claude([text], { stop_reason: 'max_tokens' }),
      gemini: gemini([said], { finishReason: 'MAX_TOKENS' }),
    },
    hears: {
      openai: has(finish, 'length'),
      claude: has('stop_reason', 'max_tokens'),
      gemini: has(reason, 'MAX_TOKENS'),
    },
  },
  {
    name: 'an end by itself',
    says: { openai: openAi({}), claude: claude([text]), gemini: gemini([said]) },
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
      gemini: gemini([said], { finishReason: 'PROHIBITED_CONTENT' }),
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
        [said],
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
        [said],
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
  {
    name: 'a picture in the answer',
    says: {
      openai: openAi({
        images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }],
      }),
      claude: onlyText,
      gemini: gemini([said, { inlineData: { mimeType: 'image/png', data: picture } }]),
    },
    hears: {
      openai: (body) => string(at(body, 'choices.0.message.images')).includes(picture),
      claude: (body) => string(at(body, 'content')).includes(picture),
      gemini: (body) =>
        string(at(body, 'candidates')).includes(
          `"inlineData":{"mimeType":"image/png","data":"${picture}"}`,
        ),
    },
  },
  {
    name: 'sound in the answer',
    says: {
      openai: openAi({ audio: { id: 'a1', data: picture, transcript: 'Hi', expires_at: 1 } }),
      claude: onlyText,
      gemini: gemini([{ inlineData: { mimeType: 'audio/wav', data: picture } }]),
    },
    hears: {
      openai: has('choices.0.message.audio.data', picture),
      claude: onlyText,
      gemini: (body) => string(at(body, 'candidates')).includes(picture),
    },
  },
  {
    name: 'several answers',
    says: {
      openai: openAi(
        {},
        {},
        {
          choices: ['Hi', 'Ho'].map((content, index) => ({
            index,
            message: { role: 'assistant', content },
            finish_reason: 'stop',
          })),
        },
      ),
      claude: 'the Messages API gives one',
      gemini: gemini(
        [],
        {},
        {
          candidates: ['Hi', 'Ho'].map((own, index) => ({
            content: { role: 'model', parts: [{ text: own }] },
            finishReason: 'STOP',
            index,
          })),
        },
      ),
    },
    hears: {
      openai: has('choices.1.message.content', 'Ho'),
      claude: 'the Messages API gives one',
      gemini: has('candidates.1.content.parts.0.text', 'Ho'),
    },
  },
  {
    name: 'members that nobody knows yet',
    says: {
      openai: openAi({}, {}, { x_odd: { a: 0 }, system_fingerprint: 'fp' }),
      claude: claude([text], { x_odd: { a: 0 } }),
      gemini: gemini([said], {}, { x_odd: { a: 0 } }),
    },
    hears: {
      openai: has('x_odd', { a: 0 }),
      claude: has('x_odd', { a: 0 }),
      gemini: has('x_odd', { a: 0 }),
    },
    pairs: Object.fromEntries(
      [
        'openai>claude',
        'openai>gemini',
        'claude>openai',
        'claude>gemini',
        'gemini>openai',
        'gemini>claude',
      ].map((pair) => [pair, 'nobody can say what it would be called in another protocol']),
    ),
  },
];
