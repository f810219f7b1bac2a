import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { beforeAll, describe, expect, test } from 'vitest';

const rooms = ['domain', 'command-api', 'projections', 'relay', 'console', 'infra', 'tests'];
const rules = createRequire(import.meta.url)('../../infra/tooling/dependency-cruiser.cjs');

const cruiseRooms = async (folders: string[]): Promise<ICruiseResult> => {
  const { options, ...ruleSet } = rules;
  const result = await cruise(folders, { ...options, ruleSet, validate: true }, undefined, {
    tsConfig: extractTSConfig('tsconfig.json'),
  });
  if (typeof result.output === 'string') throw new Error('expected the result as an object');
  return result.output;
};

describe('the import rules', () => {
  let found: ICruiseResult;
  beforeAll(async () => {
    found = await cruiseRooms(rooms);
  });

  test.each(rooms)('see the TypeScript of room %s', (room) => {
    const seen = found.modules.filter(
      ({ source }) => source.startsWith(`${room}/`) && /\.tsx?$/.test(source),
    );
    const written = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name),
    );
    expect(seen.length).toBeGreaterThanOrEqual(written.length);
    expect(seen.length).toBeGreaterThan(0);
  });

  test('see imports between rooms, not only files', () => {
    const edges = found.modules
      .filter(({ source }) => source.startsWith('command-api/'))
      .flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved))
      .filter((resolved) => resolved.startsWith('domain/'));
    expect(edges.length).toBeGreaterThan(10);
  });

  test('are kept', () => {
    const broken = found.summary.violations.map(
      ({ rule, from, to }) => `${rule.name}: ${from} → ${to}`,
    );
    expect(broken).toEqual([]);
  });
});

test('an import that is not allowed is found', async () => {
  const probe = 'domain/shared/import-probe.ts';
  writeFileSync(
    probe,
    "import { readFileSync } from 'node:fs';\nimport type { Bus } from '../../infra/ports/bus.ts';\nexport const probe: [typeof readFileSync, Bus | null] = [readFileSync, null];\n",
  );
  try {
    const { summary } = await cruiseRooms(['domain']);
    const rulesBroken = summary.violations
      .filter(({ from }) => from === probe)
      .map(({ rule }) => rule.name);
    expect(new Set(rulesBroken)).toEqual(new Set(['domain-is-pure', 'domain-imports']));
  } finally {
    rmSync(probe);
  }
});

test('the top level of the project is what was agreed', () => {
  const agreed = new Set([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'LICENSE',
    'README.md',
    ...rooms,
  ]);
  const ignored = readFileSync('.gitignore', 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\/|\/$/g, ''));
  const extra = readdirSync('.').filter(
    (name) => !agreed.has(name) && !name.startsWith('.') && !ignored.includes(name),
  );
  expect(extra).toEqual([]);
});

test.each(rooms)('room %s has a README of at most 40 lines', (room) => {
  const lines = readFileSync(`${room}/README.md`, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.length).toBeGreaterThan(3);
});

/** The folders outside of a room that its import rule allows. */
const allowedOf = (room: string): readonly string[] => {
  const name = room === 'infra' ? 'infra/(?!processes/|benchmarks/)-imports' : `${room}-imports`;
  const rule = rules.forbidden.find((candidate: { name: string }) => candidate.name === name);
  const patterns = rule.to.pathNot as readonly string[];
  return patterns.map((path) => path.slice(1)).filter((path) => !path.startsWith(`${room}/`));
};

test.each(rooms.filter((room) => room !== 'tests'))(
  'the README of room %s states what the import rule allows',
  (room) => {
    const text = readFileSync(`${room}/README.md`, 'utf8');
    const [, statement = ''] = /^May import: ((?:.+\n)+)/m.exec(text) ?? [];
    const folders = [...statement.matchAll(/`((?:[a-z-]+\/)+)`/g)].map(([, folder]) => folder);
    expect(folders.toSorted()).toEqual(allowedOf(room).toSorted());
  },
);
