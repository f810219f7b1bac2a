#!/usr/bin/env node
/*
 * `npm test`: every vitest project that can run here, the quick ones first, and at the end one
 * line that counts. What was left out is named with its reason, and what failed with its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const results = join(root, '.cache', 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

/**
 * One stage after the other; the queues of a stage run at the same time, and in a queue one run of vitest after
 * the other. What the first queue prints is shown as it comes, what others print when they have ended.
 */
const stages = [
  // Fills all cores by itself.
  [[['unit', 'mocked', 'architecture', 'ui']]],
  // Journeys wait for browsers and servers for a good part of the time, the others for engines.
  [[['e2e']], [['int'], ['distributed']]],
  // Simulated time does not mind who else works.
  [[['security']], [['chaos'], ['simulation']]],
];
const totals = { passed: 0, failed: 0, skipped: 0 };
const leftOut = ['tests/chaos/nemesis.chaos.spec.ts: only in `npm run test:chaos`'];
const broken = [];
/** Of each run: its projects and the seconds that it took. */
const times = [];
/** Of each test or file that failed: its title, and the first line of why. */
const failures = [];

const firstLine = (text = '') => text.split('\n', 1)[0];

const run = async (projects, outputFile, stdio) => {
  const child = spawn(
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
    { cwd: root, stdio },
  );
  const [status] = await once(child, 'exit');
  return status;
};

const isLeftOut = ({ status }) => ['pending', 'skipped', 'todo'].includes(status);

const noteFile = ({ name, status, message, assertionResults }) => {
  const path = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of failed)
    failures.push(`${path} > ${fullName}: ${firstLine(failureMessages[0])}`);
  if (status === 'failed' && failed.length === 0) failures.push(`${path}: ${firstLine(message)}`);
  const skipped = assertionResults.filter(isLeftOut);
  totals.skipped += skipped.length;
  leftOut.push(...skipped.map(({ fullName }) => fullName));
};

const runProjects = async (projects, stdio) => {
  const outputFile = join(results, `${projects.join('-')}.json`);
  const status = await run(projects, outputFile, stdio);
  if (status !== 0) broken.push(projects.join(', '));
  if (!existsSync(outputFile)) return;
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  totals.passed += report.numPassedTests;
  totals.failed +=
    report.numFailedTests + (report.numFailedTestSuites > 0 && report.numFailedTests === 0 ? 1 : 0);
  report.testResults.forEach(noteFile);
};

const runTimed = async (projects, stdio) => {
  const startedAt = performance.now();
  await runProjects(projects, stdio);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const time = `${projects.join(', ')}: ${seconds} s`;
  times.push(time);
  console.log(`\nEnded: ${time}`);
};

const showLater = async (projects) => {
  const log = join(results, `${projects.join('-')}.log`);
  const output = openSync(log, 'w');
  await runTimed(projects, ['ignore', output, output]);
  closeSync(output);
  return readFileSync(log, 'utf8');
};

const runQueue = async (queue, isShown) => {
  let later = '';
  for (const projects of queue) {
    if (isShown) await runTimed(projects, 'inherit');
    else later += await showLater(projects);
  }
  return later;
};

const beganAt = performance.now();
for (const queues of stages) {
  const printed = await Promise.all(queues.map((queue, index) => runQueue(queue, index === 0)));
  process.stdout.write(printed.join(''));
}
times.push(`all: ${Math.round((performance.now() - beganAt) / 1_000)} s`);

if (leftOut.length > 0) {
  console.log('\nLeft out here (the title says what was missing):');
  for (const name of leftOut) console.log(`  - ${name}`);
}
if (broken.length > 0) {
  console.log(`\nFailed: ${broken.join('; ')}`);
  for (const failure of failures) console.log(`  - ${failure}`);
}
console.log(`\nTime of each run:\n${times.map((time) => `  - ${time}`).join('\n')}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(broken.length > 0 || totals.passed === 0 ? 1 : 0);
