/** A fraction of whole numbers, never shortened. */
export type Fraction = readonly [over: bigint, under: bigint];

export const f = (text: string): Fraction => {
  const [whole = '0', decimals = ''] = text.split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
};
export const times = (...factors: readonly (Fraction | number)[]): Fraction =>
  factors.reduce<Fraction>(
    ([over, under], factor) => {
      const [a, b] = typeof factor === 'number' ? f(String(factor)) : factor;
      return [over * a, under * b];
    },
    [1n, 1n],
  );
export const plus = (...terms: readonly Fraction[]): Fraction =>
  terms.reduce<Fraction>(([over, under], [a, b]) => [over * b + a * under, under * b], [0n, 1n]);
/** Halves go up: no charge is negative. */
export const rounded = ([over, under]: Fraction): number =>
  Number((over * 2n + under) / (under * 2n));
