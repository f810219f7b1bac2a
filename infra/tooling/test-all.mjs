#!/usr/bin/env node
/*
 * `npm test`: every vitest project that can run here, the quick ones first, and at the end one
 * line that counts. What was left out is named with its reason.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const results = join(root, '.cache', 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const stages = [
  ['unit', 'architecture', 'ui'],
  ['simulation'],
  ['int'],
  ['e2e'],
  ['security'],
  ['distributed'],
  ['chaos'],
];
const totals = { passed: 0, failed: 0, skipped: 0 };
const leftOut = [];
const broken = [];

const runStage = (projects) => {
  const outputFile = join(results, `${projects.join('-')}.json`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      'tests/vitest.config.ts',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${outputFile}`,
      '--passWithNoTests',
    ],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) broken.push(projects.join(', '));
  if (!existsSync(outputFile)) return;
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed +=
    report.numFailedTests + (report.numFailedTestSuites > 0 && report.numFailedTests === 0 ? 1 : 0);
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      if (!['pending', 'skipped', 'todo'].includes(test.status)) continue;
      totals.skipped += 1;
      leftOut.push(test.fullName);
    }
  }
};

for (const stage of stages) runStage(stage);

if (leftOut.length > 0) {
  console.log('\nLeft out here (the title says what was missing):');
  for (const name of leftOut) console.log(`  - ${name}`);
}
if (broken.length > 0) console.log(`\nFailed: ${broken.join('; ')}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(broken.length > 0 || totals.passed === 0 ? 1 : 0);
