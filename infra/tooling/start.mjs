#!/usr/bin/env node
import { join } from 'node:path';
/* Runs one process of `infra/processes/` from its build: `node infra/tooling/start.mjs relay`. */
import { pathToFileURL } from 'node:url';
import { buildServer } from './build-server.mjs';

const [name = 'all-in-one'] = process.argv.splice(2, 1);
// An image brings its build, and no sources.
const folder =
  process.env.TOLLGATE_BUILD ??
  (await buildServer({ withBenchmarks: name.startsWith('../benchmarks/') }));
process.env.TOLLGATE_BUILD = folder;
await import(pathToFileURL(join(folder, 'infra', 'processes', `${name}.js`)).href);
