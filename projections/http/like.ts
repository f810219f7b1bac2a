/** Text that `LIKE` finds anywhere, taken literally. */
export const literalPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
