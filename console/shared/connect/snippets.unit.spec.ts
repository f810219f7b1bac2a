import { expect, test } from 'vitest';
import { clients, masked, modelFor, snippetFor } from './snippets.ts';

const target = { address: 'https://ai.example.org', key: 'sk-abc', model: 'gpt-4o' };

test.each(clients)('what %s needs holds the address, the key and the model', (client) => {
  const text = snippetFor(client, target);
  for (const value of Object.values(target)) expect(text).toContain(value);
});

test('libraries that add the version themselves are given the bare address', () => {
  for (const client of ['anthropic', 'google', 'claude-code'] as const) {
    expect(snippetFor(client, target)).not.toContain('/v1');
  }
  for (const client of ['curl', 'openai', 'codex'] as const) {
    expect(snippetFor(client, target)).toContain('https://ai.example.org/v1');
  }
});

test('a client is shown a model of its own maker where the person has one', () => {
  const models = ['text-embedding-3-small', 'deepseek-chat', 'claude-sonnet-4', 'gpt-4o'];
  expect(clients.map((client) => modelFor(client, models))).toEqual([
    'deepseek-chat',
    'gpt-4o',
    'claude-sonnet-4',
    'deepseek-chat',
    'claude-sonnet-4',
    'gpt-4o',
  ]);
  expect(modelFor('curl', [])).toBe('gpt-4o-mini');
});

test('a key is shown by its ends', () => {
  expect(masked('sk-aaaabbbbccccdddd')).toBe('sk-aaaa…dddd');
  expect(masked('sk-...')).toBe('sk-...');
});
