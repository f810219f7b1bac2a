/*
 * Before `npm run check:types`: the compiler's record of an earlier run does not notice a second change
 * of a JSON file (TypeScript 7.0), so a record that is older than a text of the console is dropped.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';

const record = '.cache/tsconfig.tsbuildinfo';
const texts = readdirSync('console/locales', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .map((path) => `console/locales/${path}`);
const writtenAt = statSync(record, { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (texts.some((path) => statSync(path).mtimeMs > writtenAt)) rmSync(record, { force: true });
