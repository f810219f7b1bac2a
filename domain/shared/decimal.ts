/** An exact decimal: `digits / 10^scale`. */
export type Decimal = Readonly<{ digits: bigint; scale: number }>;

const shape = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/;

const powers: bigint[] = [1n];
export const tenToThe = (exponent: number): bigint => {
  for (let next = powers.length; next <= exponent; next += 1) powers.push(10n ** BigInt(next));
  return powers[exponent] ?? 1n;
};

const read = (text: string): Decimal | null => {
  const match = shape.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * tenToThe(-scale), scale: 0 };
};

export const isDecimalText = (text: string): boolean => shape.test(text);

/** Prices are read again and again on the hot path; the bound keeps strangers from filling memory. */
const known = new Map<string, Decimal>();
const knownLimit = 10_000;

/**
 * Reads "12", "-0.5", "1e-7".
 * @throws RangeError when the text is no decimal number
 */
export const parseDecimal = (text: string): Decimal => {
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const decimal = read(text);
  if (decimal === null) throw new RangeError(`not a decimal number: ${text.slice(0, 40)}`);
  if (known.size >= knownLimit) known.clear();
  known.set(text, decimal);
  return decimal;
};

/** A whole number as a decimal. */
export const wholeDecimal = (value: number | bigint): Decimal => ({
  digits: BigInt(value),
  scale: 0,
});

/** The shortest text that names this number, as JSON writes it: 0.1 is exactly "0.1". */
export const decimalTextOf = (value: number): string => formatDecimal(parseDecimal(String(value)));

/** No exponent, no trailing zeros, no "-0". */
export const formatDecimal = ({ digits, scale }: Decimal): string => {
  const negative = digits < 0n;
  const all = (negative ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = all.slice(0, all.length - scale);
  const fraction = all.slice(all.length - scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative ? `-${text}` : text;
};

/** The same value on a finer scale, as an integer count of `10^-scale`. */
export const digitsAtScale = (value: Decimal, scale: number): bigint =>
  value.digits * tenToThe(scale - value.scale);

export const add = (left: Decimal, right: Decimal): Decimal => {
  const scale = Math.max(left.scale, right.scale);
  return { digits: digitsAtScale(left, scale) + digitsAtScale(right, scale), scale };
};

export const negate = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });

export const multiply = (left: Decimal, right: Decimal): Decimal => ({
  digits: left.digits * right.digits,
  scale: left.scale + right.scale,
});

/** -1, 0 or 1. */
export const compare = (left: Decimal, right: Decimal): -1 | 0 | 1 => {
  const { digits } = add(left, negate(right));
  if (digits === 0n) return 0;
  return digits < 0n ? -1 : 1;
};

/** `numerator / denominator` to the nearest whole, halves away from zero; denominator above 0. */
export const divideHalfAwayFromZero = (numerator: bigint, denominator: bigint): bigint => {
  const negative = numerator < 0n;
  const size = negative ? -numerator : numerator;
  const rounded = (size * 2n + denominator) / (denominator * 2n);
  return negative ? -rounded : rounded;
};

/** The one rounding of every charge. */
export const roundHalfAwayFromZero = ({ digits, scale }: Decimal): bigint =>
  divideHalfAwayFromZero(digits, tenToThe(scale));
