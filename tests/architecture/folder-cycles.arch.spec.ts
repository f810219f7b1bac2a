import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Rooms whose folders form no cycle, imports of types included. */
const rooms: readonly string[] = [
  'domain',
  'command-api',
  'projections',
  'relay',
  'console',
  'infra',
];

type Sources = ReadonlyMap<string, string>;

const sourcesOf = (room: string): Sources => {
  const paths = readdirSync(room, { recursive: true, encoding: 'utf8' });
  const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path);
  return new Map(
    paths
      .filter((path) => isSource(path) && !path.includes('node_modules'))
      .map((path) => join(room, path))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
};

/**
 * The folders that two files part at, below the last folder that both are in; null where one of them
 * lies in that folder itself: a folder and what is inside it are one unit.
 */
const siblingsOf = (from: string, to: string): readonly [string, string] | null => {
  const left = from.split('/').slice(0, -1);
  const right = to.split('/').slice(0, -1);
  const at = left.findIndex((name, depth) => name !== right[depth]);
  if (at === -1 || right.length <= at) return null;
  return [left.slice(0, at + 1).join('/'), right.slice(0, at + 1).join('/')];
};

/** Folder → its sibling folders that files below it import, by any kind of import. */
const folderGraph = (sources: Sources): ReadonlyMap<string, ReadonlySet<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    for (const [, relative = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)) {
      const target = join(dirname(path), relative);
      const siblings = sources.has(target) ? siblingsOf(path, target) : null;
      if (siblings === null) continue;
      const [from, to] = siblings;
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  return graph;
};

/** A path of folders that ends where it began; null when there is none. */
const cycleIn = (graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | null => {
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return null;
    for (const next of graph.get(folder) ?? []) {
      const cycle = visit(next, [...path, folder]);
      if (cycle !== null) return cycle;
    }
    done.add(folder);
    return null;
  };
  for (const folder of graph.keys()) {
    const cycle = visit(folder, []);
    if (cycle !== null) return cycle;
  }
  return null;
};

test.each(rooms)('the folders of %s form no cycle', (room) => {
  const sources = sourcesOf(room);
  expect(sources.size).toBeGreaterThan(10);
  expect(cycleIn(folderGraph(sources))).toBeNull();
});

test('a cycle through an import of a type is found', () => {
  const planted: Sources = new Map([
    ['room/a/one.ts', "import type { Two } from '../b/two.ts';"],
    ['room/b/two.ts', "import { three } from '../c/three.ts';"],
    ['room/c/three.ts', "export const three = () => import('../a/one.ts');"],
  ]);
  expect(cycleIn(folderGraph(planted))).toEqual(['room/a', 'room/b', 'room/c', 'room/a']);
});

test('a cycle of folders deep inside others is found', () => {
  const planted: Sources = new Map([
    ['room/deep/a/x/one.ts', "import type { Two } from '../../b/two.ts';"],
    ['room/deep/b/two.ts', "import { three } from '../a/three.ts';"],
    ['room/deep/a/three.ts', ''],
  ]);
  expect(cycleIn(folderGraph(planted))).toEqual(['room/deep/a', 'room/deep/b', 'room/deep/a']);
});

test('files of one folder may import each other', () => {
  const planted: Sources = new Map([
    ['room/a/one.ts', "import { two } from './two.ts';"],
    ['room/a/two.ts', "import type { One } from './one.ts';"],
  ]);
  expect(cycleIn(folderGraph(planted))).toBeNull();
});
