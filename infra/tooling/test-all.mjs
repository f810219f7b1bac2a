#!/usr/bin/env node
/*
 * `npm test`: every vitest project that can run here, the quick ones first, and at the end one
 * line that counts. What was left out is named with its reason, and what failed with its own.
 *
 * Runs share the machine with each other and with whatever else it does. Spec files that failed are run once
 * more with nothing beside them, and are named either way: what passes then depends on the load, which is a
 * fault of the spec or of the product, but no reason to refuse what was changed.
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
const leftOut = ['tests/chaos/nemesis.chaos.spec.ts: only in `npm run test:chaos`'];
/** Of each run of vitest: its projects, its exit status, and what it reported of each spec file. */
const runs = [];
/** Of each run: its projects and the seconds that it took. */
const times = [];
/** More spec files than this do not fail for the load alone. */
const maxTriedAgain = 5;

const firstLine = (text = '') => text.split('\n', 1)[0];

/** Runs these projects, or some spec files of them. */
const run = async (projects, { outputFile, stdio, files = [] }) => {
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--config',
      'tests/vitest.config.ts',
      ...files,
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${outputFile}`,
      '--passWithNoTests',
    ],
    { cwd: root, stdio },
  );
  const [status] = await once(child, 'exit');
  const report = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : null;
  return { projects, status, specs: report?.testResults ?? [] };
};

const isFailed = ({ status }) => status === 'failed';
const isLeftOut = ({ status }) => ['pending', 'skipped', 'todo'].includes(status);
const pathOf = ({ name }) => relative(root, name);

/** Of each test or file that failed: its title, and the first line of why. */
const failuresOf = (spec) => {
  const path = pathOf(spec);
  const failed = spec.assertionResults.filter(isFailed);
  if (isFailed(spec) && failed.length === 0) return [`${path}: ${firstLine(spec.message)}`];
  return failed.map(
    ({ fullName, failureMessages }) => `${path} > ${fullName}: ${firstLine(failureMessages[0])}`,
  );
};

const reportFailures = (title, failures) => {
  if (failures.length > 0) console.log(`\n${[title, ...failures].join('\n  - ')}`);
};

const runTimed = async (projects, stdio) => {
  const startedAt = performance.now();
  runs.push(
    await run(projects, { outputFile: join(results, `${projects.join('-')}.json`), stdio }),
  );
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

/** The run with the second report of the spec files that failed, if all of them pass alone. */
const triedAgain = async (first) => {
  const failed = first.specs.filter(isFailed);
  if (first.status === 0 || failed.length === 0) return first;
  console.log(`\nOnce more, alone: ${failed.map(pathOf).join(', ')}`);
  const outputFile = join(results, 'alone.json');
  rmSync(outputFile, { force: true });
  const files = failed.map(pathOf);
  const second = await run(first.projects, { outputFile, stdio: 'inherit', files });
  if (second.status !== 0 || second.specs.length < failed.length) return first;
  reportFailures('Failed beside other runs, passed alone:', failed.flatMap(failuresOf));
  const passed = first.specs.filter((spec) => !isFailed(spec));
  return { ...second, specs: [...passed, ...second.specs] };
};

const isFew = runs.flatMap(({ specs }) => specs.filter(isFailed)).length <= maxTriedAgain;
const ended = [];
for (const first of runs) ended.push(isFew ? await triedAgain(first) : first);

const specs = ended.flatMap((one) => one.specs);
const tests = specs.flatMap(({ assertionResults }) => assertionResults);
const skipped = tests.filter(isLeftOut);
leftOut.push(...skipped.map(({ fullName }) => fullName));
const failures = specs.flatMap(failuresOf);
const broken = ended.filter(({ status }) => status !== 0);
const passed = tests.filter(({ status }) => status === 'passed').length;

reportFailures('Left out here (the title says what was missing):', leftOut);
if (broken.length > 0) {
  console.log(`\nFailed: ${broken.map(({ projects }) => projects.join(', ')).join('; ')}`);
  for (const failure of failures) console.log(`  - ${failure}`);
}
console.log(`\nTime of each run:\n${times.map((time) => `  - ${time}`).join('\n')}`);
console.log(`\n${passed} passed, ${failures.length} failed, ${skipped.length} skipped`);
process.exit(broken.length > 0 || passed === 0 ? 1 : 0);
