/*
 * Checks commit messages: of a file, as git's `commit-msg` hook hands it over, or of a range of
 * commits: `npm run check:commits -- origin/main..HEAD`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { commitMessageProblems } from './commit-message.ts';

const messagesOf = (source: string): readonly string[] =>
  existsSync(source)
    ? [readFileSync(source, 'utf8')]
    : execFileSync('git', ['log', '--no-merges', '--format=%B%x00', source], { encoding: 'utf8' })
        .split('\0')
        .map((message) => message.trim())
        .filter((message) => message !== '');

const [source = 'HEAD~1..HEAD'] = process.argv.slice(2);
for (const message of messagesOf(source)) {
  for (const problem of commitMessageProblems(message)) {
    console.error(`${message.split('\n', 1)[0]}\n  ${problem}`);
    process.exitCode = 1;
  }
}
