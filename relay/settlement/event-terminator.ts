const lf = 0x0a;
const cr = 0x0d;
const blankByCr = Buffer.from('\r\r');

/**
 * Lines of events may end with LF, CRLF or CR (HTML standard, 9.2.5). A bare CR is rare, so it is
 * searched only where there is no other blank line.
 */
const lastCrBlank = (bytes: Buffer): number => {
  const at = bytes.lastIndexOf(blankByCr);
  return at === -1 ? 0 : at + 2;
};

/** Just behind the last blank line, where the last whole event ends; 0: there is none. */
export const wholeEventsEnd = (bytes: Buffer): number => {
  let at = bytes.length;
  // Nearly every piece that a provider sends is whole events and ends so.
  if (bytes[at - 1] === lf && bytes[at - 2] === lf) return at;
  while (at > 1) {
    at = bytes.lastIndexOf(lf, at - 1);
    if (at < 1) break;
    const before = bytes[at - 1];
    if (before === lf || (before === cr && bytes[at - 2] === lf)) return at + 1;
  }
  return lastCrBlank(bytes);
};

/** Just behind the first blank line; -1: there is none. */
export const firstEventEnd = (bytes: Buffer): number => {
  let at = bytes.indexOf(lf);
  while (at !== -1 && at + 1 < bytes.length) {
    if (bytes[at + 1] === lf) return at + 2;
    if (bytes[at + 1] === cr && bytes[at + 2] === lf) return at + 3;
    at = bytes.indexOf(lf, at + 1);
  }
  const byCr = bytes.indexOf(blankByCr);
  return byCr === -1 ? -1 : byCr + 2;
};
