import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../../domain/channel/catalogue.ts';
import { registered } from '../../relay/providers/registry.ts';

const entries = (folder: string) =>
  readdirSync(new URL(`../../${folder}/`, import.meta.url), { withFileTypes: true });

const facts = entries('domain/channel/providers').map(({ name }) => name.replace(/\.ts$/, ''));
const folders = entries('relay/providers')
  .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
  .map(({ name }) => name);

test('every file of facts is in the catalogue under its own name', () => {
  expect(Object.keys(catalogue).sort()).toEqual(facts.sort());
});

test('every folder of adapters is registered under its own name', () => {
  expect(Object.keys(registered).sort()).toEqual(folders.sort());
});

test('the providers that an adapter serves are those of their facts', () => {
  const served = Object.entries(catalogue).filter(([, { relay }]) => relay === 'adapter');
  expect(Object.keys(registered).sort()).toEqual(served.map(([slug]) => slug).sort());
});

test('every provider offers calls: translated, or as the bytes of the caller', () => {
  for (const [slug, provider] of Object.entries(registered)) {
    expect(provider.translate ?? provider.text, slug).toBeDefined();
  }
});
