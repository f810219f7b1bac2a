/** Null: nothing was measured, which is drawn as a gap. */
export type LinePoint = Readonly<{ at: number; value: number | null }>;

const steps = [1, 2, 5, 10];

/** The smallest of 1, 2 and 5 times a power of ten that is not below a value. */
const niceAbove = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  return (steps.find((step) => step * power >= value) ?? 10) * power;
};

/**
 * From zero to a round number above the highest value; a line without a value gets a default one.
 */
export const ticksFromZero = (highest: number, fallback = 1): readonly number[] => {
  const top = niceAbove(highest > 0 ? highest : fallback);
  return [0, top / 2, top];
};

/** Place of the point that is nearest to a moment; -1: there is none. */
export const nearest = (points: readonly LinePoint[], at: number): number =>
  points.reduce((best, point, index) => {
    const before = points[best];
    return before === undefined || Math.abs(point.at - at) < Math.abs(before.at - at)
      ? index
      : best;
  }, -1);

type Placed = Readonly<{ x: number; y: number }>;
type Scale = Readonly<{ x: (at: number) => number; y: (value: number) => number }>;

/** Pieces of a line between its gaps, also where moments are further apart than `maxGap`. */
export const piecesOf = (
  points: readonly LinePoint[],
  { x, y }: Scale,
  maxGap = Number.POSITIVE_INFINITY,
): readonly (readonly Placed[])[] => {
  const pieces: Placed[][] = [];
  let before: LinePoint | null = null;
  for (const point of points) {
    if (point.value === null) {
      before = null;
      continue;
    }
    const placed = { x: x(point.at), y: y(point.value) };
    const isNear = before !== null && point.at - before.at <= maxGap;
    if (isNear) pieces.at(-1)?.push(placed);
    else pieces.push([placed]);
    before = point;
  }
  return pieces;
};

/** `M0 0L1 1`; as steps a value holds until the next; a single point is a dot. */
export const pathOf = (piece: readonly Placed[], isStep: boolean): string => {
  const [first, ...rest] = piece.map(({ x, y }) => ({ x: x.toFixed(1), y: y.toFixed(1) }));
  if (first === undefined) return '';
  const start = `M${first.x} ${first.y}`;
  if (rest.length === 0) return `${start}h0.01`;
  return start + rest.map(({ x, y }) => (isStep ? `H${x}V${y}` : `L${x} ${y}`)).join('');
};
