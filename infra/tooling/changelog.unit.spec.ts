import { expect, test } from 'vitest';
import { changelogOf } from './changelog.ts';

test('a release lists what is noticed, by kind and room, and what breaks first', () => {
  const text = changelogOf([
    {
      title: 'v0.2.0, 2026-01-02',
      subjects: [
        'fix(relay): a broken stream is charged',
        'feat(console): codes in bulk',
        'feat(domain)!: codes have an end',
        'feat: one sign-in for both APIs',
        'test(relay): a stream that breaks',
      ],
    },
    { title: 'v0.1.0, 2026-01-01', subjects: ['docs: first words'] },
  ]);
  expect(text.split('\n').slice(4)).toEqual([
    '## v0.2.0, 2026-01-02',
    '',
    '### Breaking',
    '',
    '- **domain**: codes have an end',
    '',
    '### Added',
    '',
    '- **console**: codes in bulk',
    '- one sign-in for both APIs',
    '',
    '### Fixed',
    '',
    '- **relay**: a broken stream is charged',
    '',
  ]);
});
