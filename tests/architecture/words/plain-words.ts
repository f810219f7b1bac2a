import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { partsOf } from './source-parts.ts';

/*
 * Plain words: components are not persons, and names are nouns or verbs with their object. Not every match
 * is wrong (a header can be well known), so the counts have a limit and may only decrease.
 */
const personal =
  /\b(says?|said|tells?|told|knows?|(?<!well-)known|knew|asks?|asked|wants?|wanted|looks?|looked|stands?|stood|speaks?|spoken?|nobody|somebody|anew|beside|mends?|mended|believes?|believed|forgets?|forgotten|lives?|hears?|heard|go(es)? on|comes?|came|lets? go|(at|by) hand|of its own|as before)\b/i;

/** A participle or adjective alone names neither a type nor a role. */
const participles = new Set(
  (
    'asked held begun known own given found shown named wanted waiting sent said told heard taken made read ' +
    'seen left kept wished settled sized bounded planned needed admitted began'
  ).split(' '),
);

export type Kind = 'comment' | 'title' | 'text' | 'name';
type Finding = Readonly<{ kind: Kind; path: string; line: number; text: string }>;
export type Count = Readonly<{ total: number; findings: readonly Finding[] }>;

const rooms = ['domain', 'command-api', 'projections', 'relay', 'console', 'infra', 'tests'];
const isSource = (name: string): boolean =>
  /\.(tsx?|mjs|cjs)$/.test(name) && !/(^|\/)(node_modules|dist|words)\//.test(name);

export const sourcesOf = (root: string, folders: readonly string[] = rooms): readonly string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(isSource)
      .map((name) => join(folder, name)),
  );

const isSpec = (path: string): boolean => /\.spec\.tsx?$/.test(path);
/** Rooms whose texts reach operators in logs and callers in errors; the console has its locales. */
const isServer = (path: string): boolean => !/^(console|tests)\//.test(path) && !isSpec(path);

const literalText = (node: ts.Node | undefined): string | null => {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
  }
  return null;
};

const calleeName = (node: ts.Expression): string => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return calleeName(node.expression);
  return ts.isCallExpression(node) ? calleeName(node.expression) : '';
};

const titleOf = (node: ts.Node): string | null =>
  ts.isCallExpression(node) && /^(test|it|describe)$/.test(calleeName(node.expression))
    ? literalText(node.arguments[0])
    : null;

/** A sentence or a part of one: at least three words. */
const isProse = (text: string): boolean => /^[^{}<>=;]*$/.test(text) && / \S+ \S/.test(text);

const declaredName = (node: ts.Node): string | null => {
  if (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) return node.name.text;
  const isNamed = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node);
  return isNamed && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : null;
};

const findAll = (path: string, source: string): readonly Finding[] => {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false);
  const lineOf = (node: ts.Node): number =>
    file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const all: Finding[] = [];
  const add = (kind: Kind, node: ts.Node, text: string | null): void => {
    if (text !== null) all.push({ kind, path, line: lineOf(node), text });
  };
  const visit = (node: ts.Node): void => {
    add('title', node, titleOf(node));
    add('name', node, declaredName(node));
    const text = isServer(path) ? literalText(node) : null;
    if (text !== null && isProse(text)) add('text', node, text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { text, line } of partsOf(path, source).comments) {
    text.split('\n').forEach((row, index) => {
      all.push({ kind: 'comment', path, line: line + index, text: row.trim() });
    });
  }
  return all;
};

const matches = ({ kind, text }: Finding): boolean =>
  kind === 'name' ? participles.has(text.toLowerCase()) : personal.test(text);

const readSource = (path: string): string => readFileSync(path, 'utf8');

/** Comment lines, test titles, prose of servers and declared names, and those of them with such a word. */
export const countWords = (
  root: string,
  paths: readonly string[],
  read: (path: string) => string = readSource,
): Readonly<Record<Kind, Count>> => {
  const all = paths.flatMap((path) => findAll(path, read(join(root, path))));
  const count = (kind: Kind): Count => {
    const ofKind = all.filter((finding) => finding.kind === kind);
    return { total: ofKind.length, findings: ofKind.filter(matches) };
  };
  return {
    comment: count('comment'),
    title: count('title'),
    text: count('text'),
    name: count('name'),
  };
};
