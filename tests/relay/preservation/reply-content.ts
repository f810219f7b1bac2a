import {
  asked,
  call,
  claude,
  finish,
  gemini,
  noPlace,
  onlyText,
  openAi,
  picture,
  type ReplyFeature,
  string,
  text,
  textPart,
  theirs,
  use,
} from './reply-shapes.ts';
import { at, has } from './tables.ts';

/** The content of a model's answer. */
export const replyContent: readonly ReplyFeature[] = [
  {
    name: 'the words, the name of the model and the id',
    says: { openai: openAi({}), claude: claude([text]), gemini: gemini([textPart]) },
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
      gemini: gemini([{ text: 'Hm', thought: true }, textPart]),
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
      gemini: gemini([textPart], {
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
      gemini: gemini([textPart], {
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
    name: 'a picture in the answer',
    says: {
      openai: openAi({
        images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } }],
      }),
      claude: onlyText,
      gemini: gemini([textPart, { inlineData: { mimeType: 'image/png', data: picture } }]),
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
      gemini: gemini([textPart], {}, { x_odd: { a: 0 } }),
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
