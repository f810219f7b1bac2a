import { expect, test } from 'vitest';
import { commitMessageProblems } from './commit-message.ts';

const body = '\n\nThe reason.\nChecked: its specs.\n';

test.each([
  `fix(relay): a broken stream is charged for what was sent${body}`,
  `feat: one rule in two rooms${body}`,
  `feat(domain)!: codes have an end${body}`,
  'docs(infra): where the journal is',
  'chore: release 0.2.0\n',
  "Merge branch 'main' into feat/codes",
  'fixup! fix(relay): a broken stream',
  `fix(console): a comment of git is no text${body}\n# Please enter the message\n`,
])('%j is a commit message', (message) => {
  expect(commitMessageProblems(message)).toEqual([]);
});

test.each([
  ['mend the stream', /type\(scope\)/],
  [`mend(relay): the stream${body}`, /type "mend"/],
  [`fix(gateway): the stream${body}`, /scope "gateway"/],
  [`fix(relay): ${'x'.repeat(61)}${body}`, /72 characters/],
  [`fix(relay): the stream.${body}`, /full stop/],
  ['fix(relay): the stream\nat once', /second line/],
  ['fix(relay): the stream', /reason/],
  ['fix(relay): the stream\n\n# Please enter the message', /reason/],
  ['feat(relay): the stream\n\n# --- >8 ---\nnot a body', /reason/],
])('%j is none', (message, problem) => {
  expect(commitMessageProblems(message).join()).toMatch(problem);
});
