import { expect, test } from 'vitest';
import { baseUrlOf, isOffered, labelOf, providerOf, providers } from './catalogue.ts';

const idsWhere = (test: (provider: (typeof providers)[number]) => boolean) =>
  providers
    .filter(test)
    .map(({ id }) => id)
    .sort((a, b) => a - b);

test('every number belongs to one provider, and vacant numbers to none', () => {
  expect(new Set(providers.map(({ id }) => id)).size).toBe(providers.length);
  for (const vacant of [0, 28, 29, 30, 32, 57]) expect(providerOf(vacant)).toBeUndefined();
});

test('new channels are offered every type that is served, Perplexity and Replicate included', () => {
  expect(idsWhere((provider) => !isOffered(provider))).toEqual([6, 7, 9, 10, 11, 12, 13, 53]);
  expect(providers.map(({ id }) => id).slice(0, 4)).toEqual([1, 2, 5, 36]);
});

test('retired types keep their numbers and names', () => {
  const names = [6, 7, 9, 10, 11, 12, 13].map((id) => providerOf(id)?.label);
  expect(names).toEqual([
    ...['OpenAIMax', 'OhMyGPT', 'AI.LS', 'AI Proxy', 'Google PaLM2', 'API2GPT', 'AIGC2D'],
  ]);
});

test('a name is shown in the language of the reader where it differs', () => {
  const spark = providerOf(18);
  expect(spark && [labelOf(spark, 'zh'), labelOf(spark, 'en')]).toEqual([
    ...['讯飞星火认知', 'iFlytek Spark'],
  ]);
});

test('a channel without an address goes to its provider', () => {
  expect(baseUrlOf(1, '')).toBe('https://api.openai.com');
  expect(baseUrlOf(1, 'https://mine.example')).toBe('https://mine.example');
  for (const { baseUrl } of providers) expect(baseUrl).not.toMatch(/\/$/);
});

test('each model of a provider is offered once', () => {
  expect(providerOf(1)?.models).toContain('gpt-4o-mini');
  expect(providerOf(5)?.models).toHaveLength(16);
  for (const { models } of providers) expect(new Set(models).size).toBe(models.length);
});

test('the field `other` means something for nine types', () => {
  expect(idsWhere(({ other }) => other !== undefined)).toEqual([3, 17, 18, 21, 24, 39, 41, 44, 49]);
  expect(idsWhere(({ other }) => other?.required === true)).toEqual([21, 39, 41, 49]);
});
