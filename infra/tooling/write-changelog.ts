/* `npm run changelog`: `.github/CHANGELOG.md` from the commit subjects since each version's tag. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { changelogOf } from './changelog.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

const subjectsOf = (range: string): readonly string[] =>
  linesOf(git('log', '--no-merges', '--format=%s', range));

const root = new URL('../..', import.meta.url).pathname;
const { version }: { version: string } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const tags = linesOf(git('tag', '--merged', 'HEAD', '--sort=-creatordate', '--list', 'v*'));
const isTagged = tags.includes(`v${version}`);
const dateOf = (tag: string): string => git('log', '-1', '--format=%as', tag);

const [newest] = tags;
const coming = {
  title: isTagged ? 'Unreleased' : `v${version}, unreleased`,
  subjects: subjectsOf(newest === undefined ? 'HEAD' : `${newest}..HEAD`),
};
const released = tags.map((tag, at) => {
  const before = tags[at + 1];
  const subjects = subjectsOf(before === undefined ? tag : `${before}..${tag}`);
  return { title: `${tag}, ${dateOf(tag)}`, subjects };
});

const file = `${root}.github/CHANGELOG.md`;
writeFileSync(file, changelogOf([coming, ...released]));
console.log(`wrote ${file}`);
