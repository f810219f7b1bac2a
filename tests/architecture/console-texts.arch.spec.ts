import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { texts as en } from '../../console/locales/en/index.ts';
import { texts as zh } from '../../console/locales/zh/index.ts';

const consoleRoot = new URL('../../console', import.meta.url).pathname;

/** Attributes that a person reads or listens to. */
const spoken = new Set([
  'alt',
  'aria-label',
  'content',
  'helperText',
  'hint',
  'label',
  'lead',
  'placeholder',
  'submitText',
  'text',
  'title',
]);
/** Signs that are the same in every language. */
const universal = new Set(['https://', '{}', '&nbsp;', '']);
const hasWord = (text: string) => /\p{L}/u.test(text) && !universal.has(text.trim());

const componentFiles = (): string[] =>
  readdirSync(consoleRoot, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !path.endsWith('.spec.tsx'))
    .filter((path) => !path.startsWith('dist') && !path.startsWith('node_modules'));

const literalIn = (node: ts.JsxAttribute): string => {
  const value = node.initializer;
  if (value === undefined) return '';
  if (ts.isStringLiteral(value)) return value.text;
  const inner = ts.isJsxExpression(value) ? value.expression : undefined;
  return inner && ts.isStringLiteralLike(inner) ? inner.text : '';
};

const untranslated = (path: string): string[] => {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(consoleRoot, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const report = (node: ts.Node, text: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1} ${text.trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWord(node.text)) report(node, node.text);
    if (ts.isJsxAttribute(node) && spoken.has(node.name.getText())) {
      const text = literalIn(node);
      if (hasWord(text)) report(node, text);
    }
    if (
      ts.isJsxExpression(node) &&
      !ts.isJsxAttribute(node.parent) &&
      node.expression &&
      ts.isStringLiteralLike(node.expression) &&
      hasWord(node.expression.text)
    ) {
      report(node, node.expression.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** The licence is a name, not a word. */
const names = ['Apache-2.0'];

test('no screen shows a word that is not in the languages', () => {
  const files = componentFiles();
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap(untranslated);
  expect(found.filter((place) => !names.some((name) => place.endsWith(name)))).toEqual([]);
});

const isOfOne = (key: string): boolean => key.endsWith('_one');

test('both languages have the same features and the same texts', () => {
  expect(Object.keys(en)).toEqual(Object.keys(zh));
  const keysOf = (texts: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
    Object.entries(texts).flatMap(([name, bundle]) =>
      Object.keys(bundle).map((key) => `${name}:${key}`),
    );
  // Chinese has no plural; English may have another text for one.
  const plain = keysOf(en).filter((key) => !isOfOne(key));
  expect(plain.sort()).toEqual(keysOf(zh).sort());
  const known = new Set(plain);
  const ofOne = keysOf(en).filter(isOfOne);
  expect(ofOne.filter((key) => !known.has(key.replace(/_one$/, '')))).toEqual([]);
});

const placeholders = (text: string): string[] => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

test('a text requires the same values in both languages, and none is empty', () => {
  const english: Readonly<Record<string, Readonly<Record<string, string>>>> = en;
  for (const [name, bundle] of Object.entries(zh)) {
    for (const [key, text] of Object.entries(bundle)) {
      const other = english[name]?.[key] ?? '';
      expect(text.trim(), `zh ${name}:${key}`).not.toBe('');
      expect(other.trim(), `en ${name}:${key}`).not.toBe('');
      expect(placeholders(other), `${name}:${key}`).toEqual(placeholders(text));
    }
  }
});

test('a text that counts things has a singular form too', () => {
  const counted = /\{\{(count|units|tokens|calls|errors|events)\}\} [a-z]+s\b/;
  const missing = Object.entries(en).flatMap(([name, bundle]) => {
    const texts: Readonly<Record<string, string>> = bundle;
    return Object.entries(texts)
      .filter(([key, text]) => !isOfOne(key) && counted.test(text) && !texts[`${key}_one`])
      .map(([key]) => `${name}:${key}`);
  });
  expect(missing).toEqual([]);
  for (const [name, bundle] of Object.entries(en)) {
    const texts: Readonly<Record<string, string>> = bundle;
    for (const [key, text] of Object.entries(texts).filter(([one]) => isOfOne(one))) {
      const plural = texts[key.replace(/_one$/, '')] ?? '';
      expect(placeholders(text), `${name}:${key}`).toEqual(placeholders(plural));
      expect(text, `${name}:${key}`).not.toBe(plural);
    }
  }
});

test('no English text holds a Chinese character', () => {
  const chinese = Object.entries(en).flatMap(([name, bundle]) =>
    Object.entries(bundle)
      .filter(([, text]) => /\p{Script=Han}/u.test(text))
      .map(([key]) => `${name}:${key}`),
  );
  expect(chinese).toEqual([]);
});

/** A key as a whole, or what is before or after a value within a template. */
const isUsed = (key: string, pieces: ReadonlySet<string>): boolean =>
  pieces.has(key) ||
  [...key.matchAll(/[.-]/g)].some(
    ({ index }) => pieces.has(key.slice(0, index + 1)) || pieces.has(key.slice(index)),
  );

test('every text has a place that shows it', () => {
  const files = readdirSync(consoleRoot, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(app|features|shared)\/.*\.tsx?$/.test(path) && !path.includes('.spec.'))
    .map((path) => join(consoleRoot, path));
  // The meanings of a channel's address are in the contract.
  const contract = new URL('../../projections/contract/channel.ts', import.meta.url).pathname;
  const literals = [...files, contract].flatMap((path) =>
    readFileSync(path, 'utf8').split(/['"`]|\$\{|\}/),
  );
  const pieces = new Set(literals.map((piece) => piece.replace(/^[\w-]+:/, '')));
  expect(isUsed('no-such.entry', pieces)).toBe(false);
  const unused = Object.entries(zh).flatMap(([name, bundle]) =>
    Object.keys(bundle)
      .filter((key) => !isUsed(key, pieces))
      .map((key) => `${name}:${key}`),
  );
  expect(unused).toEqual([]);
});
