import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { expect, test } from 'vitest';

const rules = createRequire(import.meta.url)('../../infra/tooling/dependency-cruiser.cjs');

/** The rules that files would break if they were in the project, which stays untouched. */
const brokenBy = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const baseDir = mkdtempSync(join(tmpdir(), 'read-models-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(baseDir, name)), { recursive: true });
      writeFileSync(join(baseDir, name), text);
    }
    const { options, ...ruleSet } = rules;
    const { tsConfig: _, ...rest } = options;
    const { output } = await cruise(['projections'], { ...rest, baseDir, ruleSet, validate: true });
    if (typeof output === 'string') throw new Error('expected the result as an object');
    expect(output.modules.length).toBe(Object.keys(files).length);
    return output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  } finally {
    rmSync(baseDir, { recursive: true });
  }
};
const table = 'export type Row = Readonly<{ id: number }>;\n';
const importing = (path: string): string =>
  `import type { Row } from '${path}';\nexport type Rows = readonly Row[];\n`;

test('a read model that imports the table of another is found, types included', async () => {
  expect(
    await brokenBy({
      'projections/feeds/table.ts': table,
      'projections/token-list/queries.ts': importing('../feeds/table.ts'),
    }),
  ).toEqual([
    'read-models-stay-apart: projections/token-list/queries.ts → projections/feeds/table.ts',
  ]);
});

test('a base folder of read models that imports one above it is found', async () => {
  expect(
    await brokenBy({
      'projections/http/routes.ts': table,
      'projections/runtime/worker.ts': importing('../http/routes.ts'),
      'projections/user-list/table.ts': table,
      'projections/shared/people.ts': importing('../user-list/table.ts'),
    }),
  ).toEqual([
    'projections-runtime-imports: projections/runtime/worker.ts → projections/http/routes.ts',
    'projections-shared-imports: projections/shared/people.ts → projections/user-list/table.ts',
  ]);
});

test('what is shared, and what a read model keeps to itself, is allowed', async () => {
  expect(
    await brokenBy({
      'projections/runtime/table.ts': table,
      'projections/http/routes.ts': importing('../runtime/table.ts'),
      'projections/user-list/table.ts': importing('../runtime/table.ts'),
      'projections/user-list/queries.ts': importing('./table.ts'),
      'projections/user-list/routes.ts': importing('../http/routes.ts'),
    }),
  ).toEqual([]);
});
