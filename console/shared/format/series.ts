/** Tokens `--series-1` to `--series-12`; what ranks below shares one colour. */
const maxSeries = 12;

/** One colour of a chart, and its names. */
export type Series = Readonly<{ name: string; colour: string; members: readonly string[] }>;

/** Colours by rank: no two of the first twelve are alike, and the rest is one series. */
export const seriesOf = (ranked: readonly string[], otherName: string): readonly Series[] => {
  const own = ranked.slice(0, maxSeries).map((name, at) => ({
    name,
    colour: `var(--series-${at + 1})`,
    members: [name],
  }));
  const rest = ranked.slice(maxSeries);
  if (rest.length === 0) return own;
  return [...own, { name: otherName, colour: 'var(--series-other)', members: rest }];
};

export const colourIn = (series: readonly Series[], name: string): string =>
  series.find(({ members }) => members.includes(name))?.colour ?? 'var(--series-other)';
