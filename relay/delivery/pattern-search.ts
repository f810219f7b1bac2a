/** Whether any of the patterns occurs in these bytes. */
export type PatternSearch = (bytes: Buffer) => boolean;

/**
 * All patterns in one pass (Horspool's search for a set): the byte under the end of a window, as
 * long as the shortest pattern, determines how far no pattern can begin. A native search for each
 * takes twice as long in 18 KB, and twenty times as long in 600 bytes, for a key of sixty
 * characters in its four forms.
 */
export const createPatternSearch = (patterns: readonly Buffer[]): PatternSearch => {
  if (patterns.length === 0) return () => false;
  const size = Math.min(255, ...patterns.map(({ length }) => length));
  const last = size - 1;
  const steps = new Uint8Array(256).fill(size);
  for (const pattern of patterns) {
    for (let at = 0; at < size; at += 1) {
      const byte = pattern[at] ?? 0;
      steps[byte] = Math.min(steps[byte] ?? size, last - at);
    }
  }
  const beginsAt = (bytes: Buffer, start: number): boolean =>
    patterns.some(
      (pattern) =>
        pattern[0] === bytes[start] &&
        pattern[last] === bytes[start + last] &&
        bytes.length - start >= pattern.length &&
        bytes.compare(pattern, 0, pattern.length, start, start + pattern.length) === 0,
    );
  return (bytes) => {
    const { length } = bytes;
    for (let end = last; end < length; ) {
      const step = steps[bytes[end] ?? 0] ?? 0;
      if (step === 0 && beginsAt(bytes, end - last)) return true;
      end += step === 0 ? 1 : step;
    }
    return false;
  };
};
