import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;

/** What the simulator runs over virtual time and simulated disks. */
const simulated = [
  'command-api/keeper',
  'command-api/processes',
  'relay/admission',
  'relay/settlement',
  'infra/bus/memory',
  'infra/bus/nats',
  'infra/bus/retry.ts',
  'infra/verify',
  'projections/runtime',
];
/** Counts tokens of long texts in slices; no simulated call has a text. */
const exempt = new Set(['relay/settlement/count-tokens.ts']);

const forbidden = [
  /(?<![.\w#])(?:setTimeout|setInterval|setImmediate|clearTimeout|clearInterval|clearImmediate)\(/,
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bperformance\.now\b/,
  /\bMath\.random\b/,
  /\brandomUUID\b/,
  /\brandomBytes\b/,
  /['"]node:(?:fs|timers)/,
];

const filesBelow = (path: string): string[] => {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(join(path, name)));
};

const sources = simulated
  .flatMap(filesBelow)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !exempt.has(path));

const finds = (path: string): string[] =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      forbidden.some((pattern) => pattern.test(line))
        ? [`${path}:${index + 1} ${line.trim()}`]
        : [],
    );

test('the money path takes time, chance and files from ports alone', () => {
  expect(sources.length).toBeGreaterThan(60);
  expect(sources.flatMap(finds)).toEqual([]);
});
