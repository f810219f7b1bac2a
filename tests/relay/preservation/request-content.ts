import {
  contents,
  geminiTools,
  noUrl,
  openAiTools,
  pdf,
  pixel,
  type RequestFeature,
  text,
  user,
  wave,
} from './request-options.ts';
import { at, has } from './tables.ts';

/** The earlier turns of the conversation. */
export const requestContent: readonly RequestFeature[] = [
  {
    name: 'system text',
    asks: {
      openai: {
        messages: [
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hello' },
        ],
      },
      claude: { system: [{ type: 'text', text: 'Be kind' }] },
      gemini: { systemInstruction: { parts: [{ text: 'Be kind' }] } },
    },
    sees: {
      openai: (body) =>
        at(body, 'messages.0.role') === 'system' &&
        JSON.stringify(at(body, 'messages.0.content')).includes('Be kind'),
      claude: (body) => JSON.stringify(at(body, 'system')).includes('Be kind'),
      gemini: has('systemInstruction.parts.0.text', 'Be kind'),
    },
  },
  {
    name: 'a picture by its data',
    asks: {
      openai: user(text, {
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${pixel}` },
      }),
      claude: user(text, {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: pixel },
      }),
      gemini: contents({ text: 'Hello' }, { inlineData: { mimeType: 'image/png', data: pixel } }),
    },
    sees: {
      openai: has('messages.0.content.1.image_url.url', `data:image/png;base64,${pixel}`),
      claude: has('messages.0.content.1.source', {
        type: 'base64',
        media_type: 'image/png',
        data: pixel,
      }),
      gemini: has('contents.0.parts.1.inlineData', { mimeType: 'image/png', data: pixel }),
    },
  },
  {
    name: 'a picture by its address',
    asks: {
      openai: user(text, { type: 'image_url', image_url: { url: 'https://pics.test/a.png' } }),
      claude: user(text, {
        type: 'image',
        source: { type: 'url', url: 'https://pics.test/a.png' },
      }),
      gemini: contents(
        { text: 'Hello' },
        { fileData: { mimeType: 'image/png', fileUri: 'https://pics.test/a.png' } },
      ),
    },
    sees: {
      openai: has('messages.0.content.1.image_url.url', 'https://pics.test/a.png'),
      claude: (body) => JSON.stringify(at(body, 'messages')).includes('https://pics.test/a.png'),
      gemini: (body) => JSON.stringify(at(body, 'contents')).includes('https://pics.test/a.png'),
    },
    pairs: {
      'openai>claude': noUrl,
      'openai>gemini': noUrl,
      'claude>gemini': noUrl,
      'gemini>claude': noUrl,
      'claude>bedrock': noUrl,
    },
  },
  {
    name: 'a PDF file',
    asks: {
      openai: user(text, {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
      }),
      claude: user(text, {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: pdf },
      }),
      gemini: contents(
        { text: 'Hello' },
        { inlineData: { mimeType: 'application/pdf', data: pdf } },
      ),
    },
    sees: {
      openai: has('messages.0.content.1.file.file_data', `data:application/pdf;base64,${pdf}`),
      claude: has('messages.0.content.1.source.data', pdf),
      gemini: has('contents.0.parts.1.inlineData', { mimeType: 'application/pdf', data: pdf }),
    },
  },
  {
    name: 'sound',
    asks: {
      openai: user(text, { type: 'input_audio', input_audio: { data: wave, format: 'wav' } }),
      claude: 'the Messages API takes no sound',
      gemini: contents({ text: 'Hello' }, { inlineData: { mimeType: 'audio/wav', data: wave } }),
    },
    sees: {
      openai: has('messages.0.content.1.input_audio', { data: wave, format: 'wav' }),
      claude: 'the Messages API takes no sound; the call is refused',
      gemini: has('contents.0.parts.1.inlineData', { mimeType: 'audio/wav', data: wave }),
    },
  },
  {
    name: 'signed thoughts of an earlier turn',
    asks: {
      openai: {
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: 'Yes',
            reasoning_content: 'Hm',
            reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'sig', index: 0 }],
          },
          { role: 'user', content: 'More' },
        ],
      },
      claude: {
        thinking: { type: 'enabled', budget_tokens: 1_024 },
        max_tokens: 4_000,
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm', signature: 'sig' },
              { type: 'text', text: 'Yes' },
            ],
          },
          { role: 'user', content: 'More' },
        ],
      },
      gemini: {
        contents: [
          { role: 'user', parts: [{ text: 'Hello' }] },
          {
            role: 'model',
            parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'sig' }],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
        ],
        tools: geminiTools,
      },
    },
    sees: {
      openai: (body) => JSON.stringify(at(body, 'messages')).includes('sig'),
      claude: (body) => JSON.stringify(at(body, 'messages')).includes('"signature":"sig"'),
      gemini: (body) => JSON.stringify(at(body, 'contents')).includes('"thoughtSignature":"sig"'),
    },
    pairs: {
      'claude>openai': 'a proof is worth nothing to anybody but the provider that gave it',
      'claude>gemini': 'a proof is worth nothing to anybody but the provider that gave it',
      'gemini>openai': 'a proof is worth nothing to anybody but the provider that gave it',
      'gemini>claude': 'a proof is worth nothing to anybody but the provider that gave it',
      'openai>gemini': 'this proof is one of Claude; that of Gemini is the next cell',
    },
  },
  {
    name: "the signature of Gemini's call",
    asks: {
      openai: {
        tools: openAiTools,
        messages: [
          { role: 'user', content: 'Hello' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: 'c1',
                type: 'function',
                function: { name: 'f', arguments: '{}' },
                extra_content: { google: { thought_signature: 'sig' } },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'one' },
        ],
      },
      claude: 'the Messages API has no place for it',
      gemini: 'see signed thoughts',
    },
    sees: {
      openai: (body) => JSON.stringify(at(body, 'messages')).includes('sig'),
      claude: 'a proof is worth nothing to anybody but the provider that gave it',
      gemini: (body) => JSON.stringify(at(body, 'contents')).includes('"thoughtSignature":"sig"'),
    },
  },
];
