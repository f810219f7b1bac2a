import { join } from 'node:path';

/**
 * Path of the module that a child process runs. `TOLLGATE_BUILD` is set by `infra/tooling/start.mjs`;
 * without it the processes run from their TypeScript.
 */
export const entryPath = (name: string): string => {
  const build = process.env.TOLLGATE_BUILD;
  return build === undefined
    ? new URL(`../../${name}.ts`, import.meta.url).pathname
    : join(build, `${name}.js`);
};

/** A path of the project, such as the built console. */
export const projectPath = (...segments: readonly string[]): string => {
  const build = process.env.TOLLGATE_BUILD;
  const root =
    build === undefined ? new URL('../..', import.meta.url).pathname : join(build, '..', '..');
  return join(root, ...segments);
};
