import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const folders = [
  'domain',
  'command-api',
  'projections',
  'relay',
  'console',
  'infra',
  'tests',
  '.github',
];

const pages = [
  'README.md',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(name))
      .map((name) => join(folder, name)),
  ),
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'));

test('every command that a page names is a script of the project', () => {
  const unknown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/npm run ([\w:-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('every link of a page to a file of the project leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the README of a room has at most 40 lines', () => {
  const long = pages.filter(
    (page) => /^[^/.]+\/README\.md$/.test(page) && textOf(page).trimEnd().split('\n').length > 40,
  );
  expect(long).toEqual([]);
});
