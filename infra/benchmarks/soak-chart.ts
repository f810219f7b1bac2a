import { chartColours } from './chart-colours.ts';
import type { SoakSample } from './soak.ts';

const width = 760;
const height = 300;
const left = 60;
const top = 50;
const allParts = 'all processes';

const lineOf = (
  points: readonly (readonly [x: number, y: number])[],
  colour: string | undefined,
): string => {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`;
};

/** Resident megabytes over the minutes, a line for each part of the product and one for all. */
export const curveOf = (samples: readonly SoakSample[]): string => {
  const parts = [...new Set(samples.flatMap(({ residentMb }) => Object.keys(residentMb)))];
  const names = [allParts, ...parts];
  const largest = Math.max(1, ...samples.map(({ all }) => all));
  const minutes = Math.max(1, ...samples.map(({ minute }) => minute));
  const lines = names.map((name, index) => {
    const points = samples.map(({ minute, residentMb, all }) => {
      const mb = name === allParts ? all : (residentMb[name] ?? 0);
      return [left + (minute / minutes) * width, top + height - (mb / largest) * height] as const;
    });
    return lineOf(points, chartColours[index % chartColours.length]);
  });
  const legend = names.map((name, index) => {
    const x = left + (index % 4) * 190;
    const y = 16 + Math.floor(index / 4) * 18;
    const colour = chartColours[index % chartColours.length];
    return `<text x="${x}" y="${y}" fill="${colour}">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 20}" height="${top + height + 30}" ` +
      'font-family="sans-serif" font-size="12">',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...legend,
    `<text x="4" y="${top + 8}">${Math.round(largest)} MB</text>`,
    `<text x="4" y="${top + height}">0</text>`,
    `<text x="${left + width - 60}" y="${top + height + 20}">${minutes.toFixed(0)} min</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
};
