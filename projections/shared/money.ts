/** Whole minor units as text with two decimals: 7200 → "72.00". */
export const minorText = (minor: number): string => {
  const text = String(minor).padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
};
