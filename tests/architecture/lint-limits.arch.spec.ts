import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/*
 * The limits of complexity 12, 3 parameters and 300 lines are rules of the linter. The files below
 * `overrides` that break one are a debt from before the rule: the lists may only become shorter.
 * Specs take more parameters, because a row of `test.each` arrives as parameters.
 */
const maxFindings = {
  noExcessiveCognitiveComplexity: 49,
  useMaxParams: 9,
  noExcessiveLinesPerFile: 11,
} as const;
type Limit = keyof typeof maxFindings;
const limits = Object.keys(maxFindings) as Limit[];

type Override = Readonly<{
  includes: readonly string[];
  linter: { rules: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}>;
type Rules = Readonly<Record<string, unknown>>;
type Config = Readonly<{
  files: unknown;
  linter: { rules: { complexity: Rules; style: Rules } };
  overrides: readonly Override[];
}>;

const root = new URL('../..', import.meta.url).pathname;
const config: Config = JSON.parse(readFileSync(join(root, 'infra/tooling/lint.json'), 'utf8'));

/** The override that lets single files off a rule. */
const isExempting = (limit: Limit, { includes, linter }: Override): boolean =>
  includes.every((path) => !path.includes('*')) &&
  Object.values(linter.rules).some((rules) => rules[limit] === 'off');
const listed = (limit: Limit): readonly string[] =>
  config.overrides.filter((one) => isExempting(limit, one)).flatMap(({ includes }) => includes);

const folder = mkdtempSync(join(tmpdir(), 'lint-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Finding = Readonly<{ category: string; location: { path: string | { file: string } } }>;
let findings: readonly Readonly<{ limit: string; path: string }>[] = [];

beforeAll(() => {
  const { noExcessiveLinesPerFile } = config.linter.rules.style;
  const { complexity } = config.linter.rules;
  const strict = {
    files: config.files,
    linter: { rules: { preset: 'none', complexity, style: { noExcessiveLinesPerFile } } },
    overrides: config.overrides.filter((one) => !limits.some((limit) => isExempting(limit, one))),
  };
  writeFileSync(join(folder, 'lint.json'), JSON.stringify(strict));
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      `--config-path=${join(folder, 'lint.json')}`,
      '--reporter=json',
      '--max-diagnostics=1000',
      '.',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { diagnostics }: { diagnostics: readonly Finding[] } = JSON.parse(stdout);
  findings = diagnostics.map(({ category, location: { path } }) => ({
    limit: category.split('/').at(-1) ?? '',
    path: typeof path === 'string' ? path : path.file,
  }));
});

test.each(limits)('%s: whoever keeps the limit is not on the list of exceptions', (limit) => {
  const breaking = new Set(findings.filter((one) => one.limit === limit).map(({ path }) => path));
  expect(listed(limit).filter((path) => !breaking.has(path))).toEqual([]);
  expect([...breaking].filter((path) => !listed(limit).includes(path))).toEqual([]);
});

test.each(limits)('%s: the exceptions become fewer, never more', (limit) => {
  const count = findings.filter((one) => one.limit === limit).length;
  expect(count).toBeLessThanOrEqual(maxFindings[limit]);
});
