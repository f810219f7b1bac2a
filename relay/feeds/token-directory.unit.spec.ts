import { expect, test } from 'vitest';
import type { TokenFeedEntry } from '../../domain/token/feed.ts';
import type { Feed, FeedEntry } from '../../infra/ports/bus.ts';
import { aToken, hashOf } from '../../tests/support/relay/relay-harness.ts';
import { createTokenDirectory } from './token-directory.ts';

/** A feed with these tokens that counts its reads. */
const aFeed = (held: ReadonlyMap<string, FeedEntry<TokenFeedEntry>> = new Map()) => {
  const asked: string[] = [];
  const feed: Feed<TokenFeedEntry> = {
    put: async () => {},
    get: async (key) => {
      asked.push(key);
      return held.get(key) ?? null;
    },
    watch: async () => ({ ready: Promise.resolve(), stop: async () => {} }),
  };
  return { feed, asked };
};

const entryOf = (key: string, position: bigint, value: TokenFeedEntry | null = aToken()) => ({
  key: hashOf(key),
  position,
  value,
});

test('tokens that are gone are not kept', async () => {
  const tokens = createTokenDirectory(aFeed().feed);
  const keys = Array.from({ length: 500 }, (_none, n) => `key${n}`);
  tokens.apply(keys.map((key) => entryOf(key, 1n)));
  for (const key of keys) expect(tokens.find(key, 0)?.entry).toEqual(aToken());
  expect(tokens.size()).toBe(500);
  tokens.apply(keys.map((key) => entryOf(key, 2n, null)));
  expect(tokens.size()).toBe(0);
  for (const key of keys) expect(tokens.find(key, 0)).toBeUndefined();
});

test('unknown keys are cached for a moment, up to a maximum number', async () => {
  const { feed, asked } = aFeed();
  const tokens = createTokenDirectory(feed);
  expect(await tokens.fetch('guess0', 0)).toBeNull();
  expect(tokens.find('guess0', 1_999)).toBeNull();
  expect(tokens.find('guess0', 2_000)).toBeUndefined();
  for (let n = 1; n < 25_000; n += 1) await tokens.fetch(`guess${n}`, 0);
  const refused = Array.from({ length: 25_000 }, (_none, n) => tokens.find(`guess${n}`, 0));
  expect(refused.filter((found) => found === null).length).toBeLessThanOrEqual(10_000);
  expect(asked).toHaveLength(25_000);
});

test('simultaneous guesses read the feed once for each key, up to a maximum number of keys', async () => {
  const { feed, asked } = aFeed();
  const tokens = createTokenDirectory(feed);
  const guesses = Array.from({ length: 1_000 }, (_none, n) => tokens.fetch(`guess${n % 500}`, 0));
  const answers = await Promise.all(guesses);
  expect(asked).toHaveLength(128);
  expect(answers.filter((answer) => answer === null)).toHaveLength(256);
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(744);
});
