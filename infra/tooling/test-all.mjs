#!/usr/bin/env node
/*
 * Runs vitest projects, the quick ones first, and counts at the end. `npm test` runs every project that can
 * run on this machine; `change` runs the checks for each change, `nightly` what takes longer. Each test that
 * was left out is named with its reason, each failure with its first line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { countFile } from './test-results.ts';

const root = new URL('../..', import.meta.url).pathname;
const results = join(root, '.cache', 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

/** Fills all cores by itself. */
const quick = [[{ projects: ['unit', 'mocked', 'architecture', 'ui'] }]];

/**
 * One stage after the other; the queues of a stage run at the same time, and in a queue one run of vitest after
 * the other. The output of the first queue is shown as it arrives, that of the others when they have ended.
 */
const plans = {
  all: [
    quick,
    // Journeys wait for browsers and servers for a good part of the time, the others for engines.
    [[{ projects: ['e2e'] }], [{ projects: ['int'] }, { projects: ['distributed'] }]],
    // Simulated time does not depend on the load of the machine.
    [[{ projects: ['security'] }], [{ projects: ['chaos'] }, { projects: ['simulation'] }]],
  ],
  change: [
    quick,
    [
      // A browser, client libraries, a restart.
      [{ projects: ['e2e'], files: ['newcomer', 'protocols', 'stop'] }],
      [{ projects: ['int'] }],
    ],
    [
      [{ projects: ['security'], files: ['other-users'] }],
      [
        { projects: ['simulation'], files: ['known-histories'] },
        { projects: ['chaos'], files: ['kill-nine'] },
      ],
    ],
  ],
  nightly: [
    [[{ projects: ['e2e'], env: { OVERLAYS: 'full', PAGES: 'report' } }]],
    [[{ projects: ['security'] }], [{ projects: ['distributed'] }]],
    [[{ projects: ['simulation'], env: { SIMULATION_SECONDS: '600' } }]],
    [[{ projects: ['chaos'], env: { CHAOS: 'full' } }]],
    [[{ projects: ['clients'] }]],
  ],
};

/** Projects that no part of `npm test` runs, with the command that does. */
const elsewhere = [
  'load: npm run test:load',
  'cluster (containers): npm run test:cluster',
  'nemesis of the chaos suite: npm run test:chaos',
  'clients (unmodified client packages): npm run test:clients',
  'mutation: npm run test:mutation',
];

const name = process.argv[2] ?? 'all';
const stages = plans[name];
if (stages === undefined) {
  console.error(`There is no plan "${name}"; there are ${Object.keys(plans).join(', ')}.`);
  process.exit(2);
}

const totals = { passed: 0, failed: 0, skipped: 0 };
const leftOut = [];
const broken = [];
/** Of each run: its projects and the seconds that it took. */
const times = [];
/** Of each test or file that failed: its title, and the first line of the reason. */
const failures = [];

const runVitest = async ({ projects, files = [], env = {} }, outputFile, stdio) => {
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
      ...files,
    ],
    { cwd: root, stdio, env: { ...process.env, ...env } },
  );
  const [status] = await once(child, 'exit');
  return status;
};

const noteFile = (file) => {
  const path = relative(root, file.name);
  const counted = countFile(file);
  totals.passed += counted.passed;
  totals.failed += counted.failed;
  totals.skipped += counted.leftOut.length;
  failures.push(...counted.failures.map((failure) => `${path}${failure}`));
  leftOut.push(...counted.leftOut);
};

const runProjects = async (run, stdio) => {
  const label = run.projects.join('-');
  const outputFile = join(results, `${label}.json`);
  const status = await runVitest(run, outputFile, stdio);
  if (status !== 0) broken.push(label);
  if (!existsSync(outputFile)) failures.push(`${label}: vitest wrote no results (exit ${status})`);
  else JSON.parse(readFileSync(outputFile, 'utf8')).testResults.forEach(noteFile);
};

const runTimed = async (run, stdio) => {
  const startedAt = performance.now();
  await runProjects(run, stdio);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const time = `${run.projects.join(', ')}: ${seconds} s`;
  times.push(time);
  console.log(`\nEnded: ${time}`);
};

const runHidden = async (run) => {
  const log = join(results, `${run.projects.join('-')}.log`);
  const output = openSync(log, 'w');
  await runTimed(run, ['ignore', output, output]);
  closeSync(output);
  return readFileSync(log, 'utf8');
};

const runQueue = async (queue, isShown) => {
  let hidden = '';
  for (const run of queue) {
    if (isShown) await runTimed(run, 'inherit');
    else hidden += await runHidden(run);
  }
  return hidden;
};

const showList = (title, lines) => {
  if (lines.length > 0)
    console.log(`\n${title}:\n${lines.map((line) => `  - ${line}`).join('\n')}`);
};

const startedAt = performance.now();
for (const queues of stages) {
  const outputs = await Promise.all(queues.map((queue, index) => runQueue(queue, index === 0)));
  process.stdout.write(outputs.join(''));
}
times.push(`all: ${Math.round((performance.now() - startedAt) / 1_000)} s`);

showList('Left out here (the title has the reason)', leftOut);
if (name === 'all') showList('Not part of `npm test`', elsewhere);
const isFailed = broken.length > 0 || failures.length > 0 || totals.passed === 0;
showList(`Failed: ${broken.join('; ')}`, failures);
showList('Time of each run', times);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(isFailed ? 1 : 0);
