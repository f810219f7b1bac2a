import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const root = new URL('..', import.meta.url).pathname;
const patient = { testTimeout: 120_000, hookTimeout: 120_000 };
/** Real engines and real processes: one file at a time, so that two cores are enough. */
const alone = { ...patient, fileParallelism: false, pool: 'forks' as const };

/** Specs that replace a module (`vi.mock`): what others have loaded must not reach them. */
const mocked = '**/*.mocked.*.spec.{ts,tsx}';
/** Files share what a worker has loaded: loading it anew for each took more time than the tests. */
const shared = { isolate: false, testTimeout: 30_000 };
/** jsdom has a `localStorage`; Node's own would hide it. */
const browserStorage = { execArgv: ['--no-experimental-webstorage'] };
/** By default one core of two would be left to the process that collects the results. */
const parallel = { maxWorkers: '100%' };

/** Over engines from outside where there are any: decided and said before the first suite. */
const engines = { ...alone, globalSetup: ['tests/support/engines/global-setup.ts'] };

/** `npm run coverage`: what the unit project runs of the servers' rooms; the floor only rises. */
const coverage = {
  provider: 'v8' as const,
  include: ['{domain,command-api,projections,relay,infra}/**/*.ts'],
  exclude: ['**/*.spec.ts', 'infra/{benchmarks,examples,tooling}/**'],
  reporter: ['text-summary'],
  reportOnFailure: true,
  thresholds: { statements: 73, branches: 68, functions: 69, lines: 75 },
};

export default defineConfig({
  root,
  test: {
    coverage,
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['{domain,command-api,projections,relay,infra,console,tests}/**/*.unit.spec.ts'],
          exclude: [mocked],
          ...shared,
          ...parallel,
        },
      },
      {
        root,
        test: {
          name: 'architecture',
          include: ['tests/architecture/*.arch.spec.ts'],
          ...patient,
          ...parallel,
        },
      },
      {
        root,
        plugins: [react()],
        test: {
          name: 'ui',
          include: ['console/**/*.ui.spec.tsx'],
          exclude: [mocked],
          environment: 'jsdom',
          ...browserStorage,
          ...shared,
          ...parallel,
        },
      },
      {
        root,
        plugins: [react()],
        test: {
          name: 'mocked',
          include: ['relay', 'console'].map((room) => `${room}/${mocked}`),
          testTimeout: 30_000,
          ...browserStorage,
          ...parallel,
        },
      },
      {
        root,
        test: {
          name: 'int',
          include: ['**/*.int.spec.ts'],
          exclude: ['node_modules/**'],
          ...engines,
        },
      },
      { root, test: { name: 'e2e', include: ['tests/journeys/*.e2e.spec.ts'], ...alone } },
      {
        root,
        test: { name: 'security', include: ['tests/security/**/*.sec.spec.ts'], ...engines },
      },
      {
        root,
        test: { name: 'distributed', include: ['tests/distributed/*.dist.spec.ts'], ...engines },
      },
      {
        root,
        test: {
          name: 'chaos',
          include: ['tests/chaos/*.chaos.spec.ts'],
          // Not part of `npm test`: it takes a quarter of an hour and more.
          exclude: process.env.CHAOS === 'full' ? [] : ['tests/chaos/nemesis.chaos.spec.ts'],
          ...engines,
        },
      },
      {
        root,
        test: { name: 'simulation', include: ['tests/simulation/*.sim.spec.ts'], ...alone },
      },
      { root, test: { name: 'clients', include: ['tests/clients/*.clients.spec.ts'], ...alone } },
      {
        root,
        test: {
          name: 'cluster',
          include: ['tests/cluster/*.cluster.spec.ts'],
          ...alone,
          testTimeout: 900_000,
        },
      },
      { root, test: { name: 'load', include: ['tests/load/*.load.spec.ts'], ...alone } },
    ],
  },
});
