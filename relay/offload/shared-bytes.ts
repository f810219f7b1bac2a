/** Bytes copied between two turns of the event loop: about a millisecond. */
const stepBytes = 1_048_576;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const isShared = (bytes: Uint8Array): boolean => bytes.buffer instanceof SharedArrayBuffer;

/** Bytes of memory that other threads see as well. */
const sharedBuffer = (size: number): Buffer => Buffer.from(new SharedArrayBuffer(size));

/** A text in shared memory. */
export const sharedText = (text: string): Buffer => {
  const bytes = sharedBuffer(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
};

/** Bytes that crossed to another thread lose their class on the way. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Joins the pieces of a body, a step at a time: other requests run in between. */
export const gatherShared = async (pieces: readonly Buffer[], size: number): Promise<Buffer> => {
  const whole = sharedBuffer(size);
  let at = 0;
  let step = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += stepBytes) {
      const part = piece.subarray(from, from + stepBytes);
      part.copy(whole, at);
      at += part.length;
      step += part.length;
      if (step < stepBytes) continue;
      step = 0;
      await nextTurn();
    }
  }
  return whole;
};

/** The same bytes where other threads can read them. */
export const shared = async (bytes: Buffer): Promise<Buffer> =>
  isShared(bytes) ? bytes : gatherShared([bytes], bytes.length);
