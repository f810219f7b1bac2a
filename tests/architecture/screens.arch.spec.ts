import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Screen, screens } from '../../console/app/screens.tsx';
import { navigation } from '../../console/app/shell/navigation.ts';
import { texts as en } from '../../console/locales/en/index.ts';
import { texts as zh } from '../../console/locales/zh/index.ts';
import { type PathName, paths } from '../../console/shared/paths.ts';

const consoleRoot = new URL('../../console', import.meta.url).pathname;
type Files = ReadonlyMap<string, string>;
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const consoleFiles: Files = new Map(
  readdirSync(consoleRoot, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.spec.'))
    .filter((path) => !/^(dist|node_modules|locales|testing)\//.test(path))
    .map((path) => [path, readFileSync(join(consoleRoot, path), 'utf8')]),
);
const withFile = (path: string, text: string): Files => new Map([...consoleFiles, [path, text]]);

const isScreenFile = (path: string) => /^features\/[^/]+\/screens\/[^/]+\.tsx$/.test(path);

/** Screen files that the table of screens does not load. */
const unrouted = (files: Files): string[] => {
  const table = files.get('app/screen-files.ts') ?? '';
  return [...files.keys()].filter(isScreenFile).filter((path) => !table.includes(`'../${path}'`));
};

/** Screens that are listed as linked, although no other file names their path. */
const unlinked = (table: Readonly<Record<string, Screen>>, files: Files): string[] => {
  const text = [...files]
    .filter(([path]) => path !== 'app/screens.tsx' && path !== 'shared/paths.ts')
    .map(([, source]) => source)
    .join('\n');
  return Object.entries(table)
    .filter(([, { entry }]) => entry === 'linked')
    .map(([name]) => name)
    .filter((name) => !new RegExp(`\\bpaths\\.${name}\\b|\\b${name}Of\\(`).test(text));
};

/** Features with a screen, but without texts of their own. */
const withoutTexts = (files: Files, texts: Texts): string[] => {
  const features = [...files.keys()].filter(isScreenFile).map((path) => path.split('/')[1] ?? '');
  return [...new Set(features)].filter((name) => Object.keys(texts[name] ?? {}).length === 0);
};

describe('every screen of the console', () => {
  test('is loaded by the table of screens; one that is not is found', () => {
    expect([...consoleFiles.keys()].filter(isScreenFile).length).toBeGreaterThan(25);
    expect(unrouted(consoleFiles)).toEqual([]);
    const planted = 'features/probe/screens/probe.tsx';
    expect(unrouted(withFile(planted, 'export const Probe = () => null;'))).toEqual([planted]);
  });

  test('has a path, and every path a screen: else the console does not compile', () => {
    const { token: _left, ...others } = screens;
    // @ts-expect-error: the screen of one path is missing.
    const incomplete: Readonly<Record<PathName, Screen>> = others;
    expect(Object.keys(incomplete)).toHaveLength(Object.keys(paths).length - 1);
    expect(Object.keys(screens).sort()).toEqual(Object.keys(paths).sort());
  });

  test('defines how it is reached: else the console does not compile', () => {
    const { entry: _left, ...silent } = screens.token;
    // @ts-expect-error: neither in the sidebar nor linked nor opened from outside.
    const unreachable: Screen = silent;
    expect(unreachable.entry).toBeUndefined();
  });

  test('is in the sidebar once, when it has an entry there', () => {
    const entered = (Object.entries(screens) as [PathName, Screen][])
      .filter(([, { entry }]) => typeof entry !== 'string')
      .map(([name]) => paths[name] as string);
    const shown = navigation.flatMap(({ items }) => items.map(({ path }) => path));
    expect(shown.sort()).toEqual(entered.sort());
  });

  test('is linked where the table lists it; a missing link is found', () => {
    expect(unlinked(screens, consoleFiles)).toEqual([]);
    const probe: Screen = { ...screens.about, entry: 'linked' };
    expect(unlinked({ ...screens, probe }, consoleFiles)).toEqual(['probe']);
  });

  test('has texts in both languages; a feature without them is found', () => {
    const planted = withFile('features/probe/screens/probe.tsx', '');
    for (const texts of [zh, en]) {
      expect(withoutTexts(consoleFiles, texts)).toEqual([]);
      expect(withoutTexts(planted, texts)).toEqual(['probe']);
    }
  });
});
