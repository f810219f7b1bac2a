import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const folder = 'infra/runbooks';
const pages = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'));

/** The process of `infra/processes/` that a script runs; empty where it runs something else. */
const sourceOf = (script: string): string => {
  const name = /start\.mjs ([\w-]+)/.exec(scripts[script] ?? '')?.[1];
  return name === undefined ? '' : textOf(`infra/processes/${name}.ts`);
};

const sourcesBelow = (room: string): string =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/\.spec\.ts$/.test(name))
    .map((name) => textOf(join(room, name)))
    .join('\n');
const sources = ['command-api', 'projections', 'relay', 'infra'].map(sourcesBelow).join('\n');

const found = (pattern: RegExp): { page: string; parts: RegExpMatchArray }[] =>
  pages.flatMap((page) => [...textOf(page).matchAll(pattern)].map((parts) => ({ page, parts })));

/** `npm run NAME -- words` up to the end of the command. */
const commands = found(/npm run ([\w:-]+)(?: -- ([^`\n#]*))?/g);

test('there is a page for each job, of one page, and the index names it', () => {
  const index = textOf(`${folder}/README.md`);
  const jobs = pages.filter((page) => !page.endsWith('README.md'));
  expect(jobs.map((page) => index.includes(`(${page.slice(folder.length + 1)})`))).toEqual(
    jobs.map(() => true),
  );
  expect(jobs.filter((page) => textOf(page).split('\n').length > 60)).toEqual([]);
  expect(jobs.length).toBeGreaterThanOrEqual(7);
});

test('scripts, their actions and their options exist', () => {
  expect(commands.length).toBeGreaterThan(20);
  const unknown = commands.flatMap(({ page, parts: [, script = '', words = ''] }) => {
    if (scripts[script] === undefined) return [`${page}: ${script}`];
    const source = sourceOf(script);
    return words
      .trim()
      .split(/\s+/)
      .filter((word) => /^(--)?[a-z][a-z-]*(=|$)/.test(word))
      .map((word) => word.replace(/=.*$/, ''))
      .filter((word) => !source.includes(word) && !existsSync(join(root, 'projections', word)))
      .map((word) => `${page}: ${script} ${word}`);
  });
  expect(unknown).toEqual([]);
});

test('environment variables, metrics and files that a page names exist', () => {
  const words = found(/`([^`\n]+)`/g);
  const unknown = words.flatMap(({ page, parts: [, word = ''] }) => {
    const isFile = /^(infra|tests|projections|\.github)\/[\w./-]+$/.test(word);
    if (isFile) return existsSync(join(root, word)) ? [] : [`${page}: ${word}`];
    const isName = /^[A-Z][A-Z_]{4,}$|^(tollgate|projection|relay|unreadable)_[a-z_]+$/.test(word);
    return isName && !sources.includes(word) ? [`${page}: ${word}`] : [];
  });
  expect(unknown).toEqual([]);
});
