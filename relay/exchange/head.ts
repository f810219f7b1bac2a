/** What matters of an upstream's response headers. */
export type Head = Readonly<{
  contentType: string;
  /** Compressed although nobody asked for it. */
  isEncoded: boolean;
  retryAfterSeconds: number | null;
}>;

const text = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? '';

/** Reads raw headers (names and values in turn); names are told apart by length first. */
export const readHead = (headers: readonly Buffer[]): Head => {
  let contentType = 'application/json';
  let isEncoded = false;
  let retryAfterSeconds: number | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index];
    const length = name?.length;
    if (length !== 12 && length !== 16 && length !== 11) continue;
    const lower = text(name).toLowerCase();
    const value = headers[index + 1];
    if (lower === 'content-type') contentType = text(value);
    else if (lower === 'content-encoding') isEncoded = text(value) !== 'identity';
    else if (lower === 'retry-after') {
      const seconds = Number(text(value));
      if (Number.isInteger(seconds) && seconds >= 0) retryAfterSeconds = seconds;
    }
  }
  return { contentType, isEncoded, retryAfterSeconds };
};
