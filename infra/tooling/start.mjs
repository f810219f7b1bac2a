#!/usr/bin/env node
/* Runs one process of `infra/processes/` from its build: `node infra/tooling/start.mjs relay`. */
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildServer } from './build-server.mjs';
import { requireRuntime } from './runtime.mjs';

requireRuntime();
const [name = 'all-in-one'] = process.argv.splice(2, 1);
// An image brings its build, and no sources.
const folder =
  process.env.TOLLGATE_BUILD ??
  (await buildServer({ withBenchmarks: name.startsWith('../benchmarks/') }));
process.env.TOLLGATE_BUILD = folder;
// Child processes read the same cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
module.enableCompileCache();
await import(pathToFileURL(join(folder, 'infra', 'processes', `${name}.js`)).href);
