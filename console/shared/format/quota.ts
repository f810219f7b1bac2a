/** The site's display of quota; part of the public status. */
export type QuotaDisplay = Readonly<{ quotaPerUnit: number; inCurrency: boolean }>;

/**
 * `numerator / denominator` with fixed decimals, rounded half away from zero. Whole numbers are
 * computed exactly, so that a balance never shows a cent too much.
 */
export const formatRatio = (numerator: number, denominator: number, decimals: number): string => {
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator) || denominator <= 0) {
    const value = numerator / denominator;
    return (Number.isFinite(value) ? value : 0).toFixed(decimals);
  }
  const below = BigInt(denominator);
  const scaled = BigInt(Math.abs(numerator)) * 10n ** BigInt(decimals);
  const rounded = (scaled * 2n + below) / (below * 2n);
  const digits = rounded.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = numerator < 0 && rounded !== 0n ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
};

/** Thousands shortened: from 10 000 `k`, from a million `M`, from a thousand million `B`. */
export const abbreviate = (value: number, decimals = 1): string => {
  const size = Math.abs(value);
  if (size >= 1_000_000_000) return `${formatRatio(value, 1_000_000_000, decimals)}B`;
  if (size >= 1_000_000) return `${formatRatio(value, 1_000_000, decimals)}M`;
  if (size >= 10_000) return `${formatRatio(value, 1000, decimals)}k`;
  return String(value);
};

/** `$1,234.50`; the sign precedes the currency. */
export const asCurrency = (units: number, display: QuotaDisplay, decimals = 2): string => {
  const text = formatRatio(units, display.quotaPerUnit, decimals);
  const [whole = '', fraction] = text.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = text.startsWith('-') ? '-' : '';
  return `${sign}$${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
};

/** Every place that is not zero, and two at any rate. */
export const asExactCurrency = (units: number, display: QuotaDisplay): string =>
  asCurrency(units, display, 6).replace(/(\.\d\d\d*?)0+$/, '$1');

/** Amounts of one axis: whole where all of them are, otherwise with as many places each, and two at any rate. */
export const axisAmounts = (texts: readonly string[]): readonly string[] => {
  const needed = texts.map((text) => text.split('.')[1]?.replace(/0+$/, '').length ?? 0);
  const longest = Math.max(0, ...needed);
  return texts.map((text) => {
    const [whole = '', places = ''] = text.split('.');
    if (!/^\d+$/.test(places)) return text;
    return longest === 0 ? whole : `${whole}.${places.slice(0, Math.max(2, longest))}`;
  });
};

/** As many places as an amount needs to differ from zero. */
export const decimalsFor = (units: number, quotaPerUnit: number): 2 | 4 | 6 => {
  const amount = Math.abs(units) / quotaPerUnit;
  if (amount === 0 || amount >= 0.01) return 2;
  return amount >= 0.0001 ? 4 : 6;
};

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** As many places as the longest of these amounts in figures, and two at any rate. */
export const sharedPlaces = (amounts: readonly string[]): number =>
  amounts.reduce((most, text) => Math.max(most, placesOf(text)), 2);

/**
 * Places of a column: each of its amounts has as many. `isExact`: none of them is rounded, as in a
 * statement; otherwise as many as the smallest needs to differ from zero.
 */
export const columnPlaces = (
  amounts: readonly number[],
  display: QuotaDisplay,
  isExact = false,
): number =>
  isExact
    ? sharedPlaces(amounts.map((units) => asExactCurrency(units, display)))
    : amounts.reduce((most, units) => Math.max(most, decimalsFor(units, display.quotaPerUnit)), 2);

/**
 * An amount of a list: two places, so that those below each other compare, and `<$0.01` for less
 * than a cent, which is not nothing. Units are shortened.
 */
export const listAmount = (units: number, display: QuotaDisplay): string => {
  if (!display.inCurrency) return abbreviate(units);
  const text = asCurrency(units, display);
  if (units === 0 || text !== '$0.00') return text;
  return units > 0 ? '<$0.01' : '>-$0.01';
};

export const formatQuota = (
  units: number | null | undefined,
  display: QuotaDisplay,
  decimals = 2,
): string =>
  display.inCurrency ? asCurrency(units ?? 0, display, decimals) : abbreviate(units ?? 0);

/** Amounts with as few places as distinguish different values. */
export const distinctAmounts = (
  values: readonly number[],
  display: QuotaDisplay,
): readonly string[] => {
  if (!display.inCurrency) return distinctTexts(values);
  const wanted = new Set(values).size;
  for (const decimals of [2, 3, 4, 5]) {
    const texts = values.map((value) => asCurrency(value, display, decimals));
    if (new Set(texts).size === wanted) return texts;
  }
  return values.map((value) => asCurrency(value, display, 6));
};

/** Every unit, in groups of three: for the ledger, where nothing may be rounded away. */
export const formatUnits = (units: number): string => units.toLocaleString('en-US');

/** Beyond this a shortened number is no shorter than the whole one. */
const maxDecimals = 3;

/** Shortened as far as different values stay different; every unit where that does not do. */
export const distinctTexts = (values: readonly number[]): readonly string[] => {
  const wanted = new Set(values).size;
  for (let decimals = 1; decimals <= maxDecimals; decimals += 1) {
    const texts = values.map((value) => abbreviate(value, decimals));
    if (new Set(texts).size === wanted) return texts;
  }
  return values.map(formatUnits);
};
