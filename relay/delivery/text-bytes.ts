const sampleBytes = 256;

const isBase64 = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x2f && byte <= 0x39) ||
  byte === 0x2b ||
  byte === 0x3d;

/**
 * Bytes of a read that may be text: pictures in base64 have no blank, quote or comma for long. Stricter than the
 * scan of a body, which takes lists of numbers for base64 too: what is text here is paid for.
 */
export const textBytes = (chunk: Buffer): number => {
  const end = Math.min(chunk.length, sampleBytes);
  for (let at = 0; at < end; at += 1) if (!isBase64(chunk[at] ?? 0)) return chunk.length;
  return end === sampleBytes ? 0 : chunk.length;
};
