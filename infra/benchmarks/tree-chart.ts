import { chartColours as colours } from './chart-colours.ts';
import type { TreeRow } from './tree-bench.ts';

const barHeight = 22;
const gap = 14;
const left = 150;
const width = 560;
const head = 64;

type Place = Readonly<{ x: number; y: number; anchor?: 'end' }>;
const text = ({ x, y, anchor }: Place, words: string): string =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor ?? 'start'}">${words}</text>`;

/** CPU of a call by rate as stacked bars, one colour for each part of the tree. */
export const chartOf = (rows: readonly TreeRow[]): string => {
  const loaded = rows.filter(({ calls }) => calls > 0);
  const parts = [...new Set(loaded.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
  const largest = Math.max(...loaded.map(({ cpuMsAll }) => cpuMsAll));
  const scale = width / largest;
  const colourOf = (part: string): string => colours[parts.indexOf(part) % colours.length] ?? '';
  const legend = parts.map((part, i) => {
    const x = 12 + (i % 3) * 260;
    const y = 26 + Math.floor(i / 3) * 18;
    const box = `<rect x="${x}" y="${y - 10}" width="11" height="11" fill="${colourOf(part)}"/>`;
    return box + text({ x: x + 17, y }, part);
  });
  const bars = loaded.flatMap(({ load, cpuMs, cpuMsAll }, row) => {
    const y = head + row * (barHeight + gap);
    let x = left;
    const pieces = parts.map((part) => {
      const size = (cpuMs[part] ?? 0) * scale;
      const box =
        `<rect x="${x.toFixed(1)}" y="${y}" width="${size.toFixed(1)}" ` +
        `height="${barHeight}" fill="${colourOf(part)}"/>`;
      x += size;
      return box;
    });
    const label = text({ x: left - 8, y: y + 15, anchor: 'end' }, load);
    return [label, ...pieces, text({ x: x + 6, y: y + 15 }, `${cpuMsAll.toFixed(2)} ms`)];
  });
  const height = head + loaded.length * (barHeight + gap);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 90}" height="${height}" ` +
      'font-family="sans-serif" font-size="12">',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...legend,
    ...bars,
    '</svg>\n',
  ].join('\n');
};
