/** One for each part of a chart, on white. */
export const chartColours = [
  '#2d72d2',
  '#29a634',
  '#d1980b',
  '#d33d17',
  '#9d3f9d',
  '#00a396',
  '#5f6b7c',
] as const;
