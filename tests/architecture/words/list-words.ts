/* `node tests/architecture/words/list-words.ts comment|title|text|name [FOLDER ...]` lists what does not follow the plain words. */
import { countWords, type Kind, sourcesOf } from './plain-words.ts';

const root = new URL('../../..', import.meta.url).pathname;
const [kind, ...folders] = process.argv.slice(2);
const paths = folders.length === 0 ? sourcesOf(root) : sourcesOf(root, folders);
const counts = countWords(root, paths);
for (const { path, line, text } of kind === undefined ? [] : counts[kind as Kind].findings)
  console.log(`${path}:${line}: ${text}`);
for (const [name, { total, findings }] of Object.entries(counts))
  console.error(`${name}: ${findings.length} of ${total}`);
