import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenCitations, foreignCitations } from './words/citations.ts';
import { partsOf, type SourceParts } from './words/source-parts.ts';
import { type Place, type WordRule, wordRules } from './words/word-rules.ts';

/*
 * Comments cite what the repository holds, and names and comments use the field's words: a reader
 * finds a thing by the term that he would search for. Texts in quotes are data (event types,
 * columns, wire fields) and are not checked.
 */
const root = new URL('../..', import.meta.url).pathname;
const rooms = ['domain', 'command-api', 'projections', 'relay', 'console', 'infra', 'tests'];
/** Holds the words in order to find them. */
const own = 'tests/architecture/words';

const filesOf = (room: string): readonly string[] =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs|cjs|md|ya?ml|css)$/.test(name))
    .filter((name) => !/(^|\/)(node_modules|dist|vectors)\//.test(name))
    .map((name) => join(room, name))
    .filter((path) => !path.startsWith(own));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const foreignIn = (path: string): readonly string[] => {
  const text = textOf(path);
  return foreignCitations.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(
      ({ 0: cited, index }) => `${path}:${lineOf(text, index)}: ${cited}`,
    ),
  );
};

test.each(rooms)('%s: nothing cites a page that the repository does not hold', (room) => {
  expect(filesOf(room).flatMap(foreignIn)).toEqual([]);
});

test('every page, section and decision that is cited exists', () => {
  const broken = [...rooms.flatMap(filesOf), 'README.md', 'package.json'].flatMap((path) =>
    brokenCitations(root, textOf(path)).map((problem) => `${path}: ${problem}`),
  );
  expect(broken).toEqual([]);
});

test.each([
  ['(relay sheet, section 12)'],
  ['of the sheet'],
  ['(specification, section 9)'],
  ['Check 17: the models'],
  ['(provider sheet, 3.11)'],
])('a citation such as "%s" is found', (cited) => {
  expect(foreignCitations.some((pattern) => pattern.test(cited))).toBe(true);
});

test('a citation of what is not there is found, and one of what is there is let through', () => {
  const cited = (text: string) => brokenCitations(root, text);
  expect(cited('infra/reference/nowhere.md')).toHaveLength(1);
  expect(cited('infra/reference/money-rules.md, section 99')).toHaveLength(1);
  expect(cited('infra/reference/money-rules.md, section 5.77')).toHaveLength(1);
  expect(cited('infra/decisions/0999-nothing.md and decision 0998')).toHaveLength(2);
  expect(cited('infra/reference/money-rules.md, section 5.2; decision 0010')).toEqual([]);
});

const found = ({ pattern, place }: WordRule, parts: SourceParts, path: string) => {
  if (place === 'file') return pattern.test(basename(path)) ? [`${path}: file name`] : [];
  const texts = place === 'comment' ? parts.comments : parts.identifiers;
  return texts
    .filter(({ text }) => pattern.test(text))
    .map(({ text, line }) => `${path}:${line}: ${pattern.exec(text)?.[0]} in ${text.slice(0, 60)}`);
};

const product = rooms.filter((room) => room !== 'tests');

test.each(product)("%s: names and comments use the field's words", (room) => {
  const rules = Object.values(wordRules);
  const findings = filesOf(room).flatMap((path) => {
    const parts = partsOf(path, textOf(path));
    return rules.flatMap((rule) =>
      found(rule, parts, path).map((where) => `${where}; instead: ${rule.instead}`),
    );
  });
  expect(findings).toEqual([]);
});

const sourceWith = (place: Place, text: string): SourceParts =>
  partsOf('planted.ts', place === 'comment' ? `${text}\nexport {};` : `const ${text} = 1;`);

test.each(Object.entries(wordRules))('the rule on "%s" finds what it is for', (_word, rule) => {
  const pathOf = (text: string): string => (rule.place === 'file' ? text : 'planted.ts');
  const findIn = (text: string) => found(rule, sourceWith(rule.place, text), pathOf(text));
  expect(findIn(rule.planted)).toHaveLength(1);
  expect(findIn(rule.allowed)).toEqual([]);
});
