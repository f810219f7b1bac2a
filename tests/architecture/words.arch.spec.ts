import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { brokenCitations, foreignCitations } from './words/citations.ts';
import { countWords, type Kind, sourcesOf } from './words/plain-words.ts';

/*
 * Comments cite what the repository holds, and names, comments, test titles and texts use plain words of the field
 * (infra/decisions/glossary.md). Texts in quotes are data (event types, columns, wire fields) and are not checked,
 * except the sentences that operators and callers read.
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

/** Upper limits of what does not follow the plain words. Lower them with the counts; they never rise. */
const limits: Readonly<Record<Kind, number>> = { comment: 148, title: 22, text: 0, name: 1997 };

test('what does not follow the plain words only decreases', () => {
  const counts = countWords(root, sourcesOf(root));
  for (const kind of Object.keys(limits) as Kind[]) {
    const { total, findings } = counts[kind];
    expect(total).toBeGreaterThan(1_000);
    const places = findings.map(({ path, line, text }) => `${path}:${line}: ${text}`);
    expect(places.length > limits[kind] ? places : []).toEqual([]);
  }
});

test.each([
  ['comment', '// The keeper knows the lease.\n'],
  ['title', "test('a relay asks for quota', () => {});\n"],
  ['text', "throw new Error('the provider does not say why');\n"],
  ['name', 'type Asked = string;\n'],
] as const)('a %s with such a word is found', (kind, source) => {
  expect(countWords('', ['relay/planted.ts'], () => source)[kind].findings).toHaveLength(1);
  const plain = "// Stores the lease.\ntest('one', () => {});\ntype Request = string;\n";
  expect(countWords('', ['relay/planted.ts'], () => plain)[kind].findings).toEqual([]);
});
