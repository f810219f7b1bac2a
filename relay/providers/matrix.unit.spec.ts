import { expect, test } from 'vitest';
import { aTranslatingChannel } from '../../tests/support/vectors/context.ts';
import type { TextCall } from '../protocol/calls.ts';
import { resolveTransport } from './transport.ts';

const calls = {
  chat: { operation: 'chat', protocol: 'openai', path: '/v1/chat/completions' },
  claude: { operation: 'chat', protocol: 'claude', path: '/v1/messages' },
  gemini: { operation: 'chat', protocol: 'gemini', path: '/v1beta/models/m:generateContent' },
  responses: { operation: 'responses', protocol: 'openai', path: '/v1/responses' },
  cohere: { operation: 'chat', protocol: 'cohere', path: '/v2/chat' },
  ollama: { operation: 'chat', protocol: 'ollama', path: '/api/chat' },
  embed: { operation: 'embeddings', protocol: 'openai', path: '/v1/embeddings' },
  image: { operation: 'images', protocol: 'openai', path: '/v1/images/generations' },
  edit: { operation: 'images', protocol: 'openai', path: '/v1/images/edits' },
  speech: { operation: 'speech', protocol: 'openai', path: '/v1/audio/speech' },
  listen: { operation: 'transcription', protocol: 'openai', path: '/v1/audio/transcriptions' },
  rerank: { operation: 'rerank', protocol: 'openai', path: '/v1/rerank' },
} as const;

/** As bytes (B), in an envelope (E), translated (T), or not: the provider has no such API. */
const rows: readonly (readonly [name: string, type: number, model: string, cells: string])[] = [
  ['OpenAI', 1, 'gpt-4o', 'B T T B T T B B B B B B'],
  ['Azure', 3, 'gpt-4o', 'T T T B T T T T T T T –'],
  ['Anthropic', 14, 'claude-sonnet-4-5', 'T B T T T T – – – – – –'],
  ['Gemini', 24, 'gemini-2.5-pro', 'T T B T T T T T T T – –'],
  ['Vertex AI', 41, 'gemini-2.5-pro', 'T T E T T T T T T T – –'],
  ['Bedrock', 33, 'claude-3-7-sonnet-20250219', 'T E T T T T T T – – – T'],
  ['Zhipu', 26, 'glm-4', 'T T T T T T T T T T T T'],
  ['VolcEngine', 45, 'doubao', 'T T T T T T T T T T – T'],
  ['Cohere', 34, 'command-a', 'T T T T T T T – – – – T'],
];

test.each(rows)('%s answers what it has an API for', (_name, type, model, cells) => {
  const channel = aTranslatingChannel({ type, key: 'sk-test', other: 'us-central1' });
  const found = Object.values(calls).map((own) => {
    const call = { ...own, clientPath: own.path, model, body: Buffer.from('{}'), isStream: false };
    const transport = resolveTransport(channel, call as unknown as TextCall);
    return transport === null ? '–' : transport.kind.slice(0, 1).toUpperCase();
  });
  expect(found.join(' ')).toBe(cells);
});
