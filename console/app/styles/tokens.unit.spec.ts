import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/*
 * The colours themselves: contrast as WCAG 2.2 defines it, and distance in OKLab, for full colour
 * vision and for deuteranopia as simulated by Machado, Oliveira and Fernandes (2009).
 */
const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const tokensIn = (selector: string): ReadonlyMap<string, string> => {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, a, b]) => [a ?? '', b ?? '']),
  );
};
const themes = [
  ['light', tokensIn(':root')],
  ['dark', tokensIn('[data-theme="dark"]')],
] as const;

type Triple = readonly [number, number, number];
const linear = (hex: string): Triple => {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
};
const times = (rows: readonly Triple[], [x, y, z]: Triple): Triple => {
  const [a = 0, b = 0, c = 0] = rows.map(([p, q, r]) => p * x + q * y + r * z);
  return [a, b, c];
};
const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

const deuteranopia: readonly Triple[] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
const clamped = ([r, g, b]: Triple): Triple => [
  Math.min(1, Math.max(0, r)),
  Math.min(1, Math.max(0, g)),
  Math.min(1, Math.max(0, b)),
];
const oklab = (colour: Triple): Triple => {
  const [l, m, s] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    colour,
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
  );
};
const distance = (a: Triple, b: Triple): number =>
  Math.hypot(...oklab(a).map((value, at) => value - (oklab(b)[at] ?? 0)));

const textRoles = [
  'text',
  'text-2',
  'text-3',
  'accent-text',
  'success',
  'warning',
  'danger',
  'info',
];
const grounds = ['ground', 'surface', 'surface-2'];
const series = Array.from({ length: 12 }, (_, at) => `series-${at + 1}`);

describe.each(themes)('in the %s theme', (_, tokens) => {
  const colour = (name: string): string => {
    const value = tokens.get(name);
    if (value === undefined) throw new Error(`no colour --${name}`);
    return value;
  };

  test.each(textRoles)('text in --%s has a contrast of 4.5 on every surface', (role) => {
    for (const ground of grounds) {
      expect(contrast(colour(role), colour(ground)), ground).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('each series has a contrast of 3 on the surface of charts', () => {
    for (const name of [...series, 'series-other']) {
      expect(contrast(colour(name), colour('surface')), name).toBeGreaterThanOrEqual(3);
    }
  });

  test('no two series are alike, with deuteranopia neither', () => {
    for (const [at, one] of series.entries()) {
      for (const other of series.slice(0, at)) {
        const [a, b] = [linear(colour(one)), linear(colour(other))];
        const asSeen = distance(clamped(times(deuteranopia, a)), clamped(times(deuteranopia, b)));
        expect(Math.min(distance(a, b), asSeen), `${one}, ${other}`).toBeGreaterThan(0.09);
      }
    }
  });
});
