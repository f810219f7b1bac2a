import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * The files of the unit and ui projects share what their worker has loaded. A spec that replaces a
 * module would replace it for others, or be too late: it has a separate worker, in the project
 * `mocked`.
 */
const rooms = ['domain', 'command-api', 'projections', 'relay', 'infra', 'console'];

test('a spec that replaces a module has a name that shows it, and no other does', () => {
  const specs = rooms
    .flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
    )
    .filter((path) => /\.(unit|ui)\.spec\.tsx?$/.test(path));
  const replacing = specs.filter((path) => /\bvi\.(do)?mock\(/i.test(readFileSync(path, 'utf8')));
  expect(replacing.length).toBeGreaterThan(0);
  expect(specs.filter((path) => path.includes('.mocked.'))).toEqual(replacing);
});
