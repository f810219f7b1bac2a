import { expect, test } from 'vitest';
import { consoleSources } from '../support/overlays/uses.ts';

/** The built console cannot find an icon by its name: `console/vite.config.ts` leaves that out. */
const named = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([path, text]) =>
    [...text.matchAll(/\b(?:icon|leftIcon|rightIcon)(?:=\{?|: )["'][a-z-]+["']/g)].map(
      ([use]) => `${path}: ${use}`,
    ),
  );

test('icons of the console are components; one that is named is found', () => {
  const files = consoleSources();
  expect([...files.values()].filter((text) => text.includes('icon={<')).length).toBeGreaterThan(20);
  expect(named(files)).toEqual([]);
  const planted = new Map([
    ['a.tsx', `<Button icon="key" />`],
    ['b.tsx', `{ icon: 'trash' }`],
  ]);
  expect(named(planted)).toEqual([`a.tsx: icon="key"`, `b.tsx: icon: 'trash'`]);
});
