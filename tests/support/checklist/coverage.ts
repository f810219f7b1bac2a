import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChecklistEntry, checklist } from './covers.ts';

const root = new URL('../../..', import.meta.url).pathname;
/** Rooms whose tests may hold a promise of the console. */
const rooms = ['console', 'tests'];
const isSpec = (path: string) =>
  /\.(ui|arch|e2e|int|dist)\.spec\.tsx?$|^(features|shared|app)\/.*\.unit\.spec\.ts$/.test(path);

const specFiles = (): string[] =>
  rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter(isSpec)
      .map((path) => join(room, path)),
  );

/** `covers('login-1', 'login-2')`, over as many lines as the formatter gives it. */
export const coveredIn = (source: string): readonly string[] =>
  [...source.matchAll(/\bcovers\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, id = '']) => id),
  );

export type Coverage = Readonly<{
  /** Entry id to the specs that name it. */
  by: ReadonlyMap<string, readonly string[]>;
  left: readonly ChecklistEntry[];
}>;

export const readCoverage = (): Coverage => {
  const by = new Map<string, string[]>();
  for (const path of specFiles()) {
    for (const id of coveredIn(readFileSync(join(root, path), 'utf8'))) {
      by.set(id, [...(by.get(id) ?? []), path]);
    }
  }
  return { by, left: checklist.filter(({ id }) => !by.has(id)) };
};
