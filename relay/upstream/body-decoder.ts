import * as zlib from 'node:zlib';

type Make = (first: Buffer) => zlib.Gunzip;

/** Newer versions of Node read it as well. */
const { createZstdDecompress: createZstd } = zlib as Readonly<{
  createZstdDecompress?: () => zlib.Gunzip;
}>;

/** Compression method 8 in the low half of the first byte (RFC 1950, section 2.2). */
const hasZlibHeader = (first: Buffer): boolean => ((first[0] ?? 0) & 0x0f) === 8;

const gunzip: Make = () => zlib.createGunzip();
const codings: ReadonlyMap<string, Make> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', () => zlib.createBrotliDecompress()],
  // Some senders leave the header out (RFC 9110, section 8.4.1.2).
  ['deflate', (first) => (hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw())],
  ...(createZstd === undefined ? [] : [['zstd', () => createZstd()] as const]),
]);

/** What decodes a body of this `content-encoding`; null: it is none that can be decoded. */
export const decoderOf = (coding: string): Make | null =>
  codings.get(coding.trim().toLowerCase()) ?? null;

/** Whether a body with this header is encoded at all. */
export const isEncoded = (coding: string | null | undefined): coding is string =>
  coding !== null && coding !== undefined && !/^(?:\s*identity\s*)?$/i.test(coding);

/** Text shrinks to a tenth or so; what unfolds to more than this was made to do harm. */
const maxRatio = 100;
const freeBytes = 1_048_576;
const unfoldsTooFar = (decoded: number, encoded: number): boolean =>
  decoded > freeBytes && decoded > encoded * maxRatio;

type Output = Readonly<{
  /** false: wait until `resume`. */
  onData: (chunk: Buffer) => boolean;
  onEnd: () => void;
  onError: (error: Error) => void;
  /** There is room for more encoded bytes. */
  onDrain: () => void;
}>;

/**
 * Decodes one body while it arrives. What is decoded waits for its reader, and what is read waits
 * for the decoder, so that a small body that expands to a huge one takes no memory.
 */
export class BodyDecoder {
  private readonly make: Make;
  private readonly output: Output;
  private stream: zlib.Gunzip | null = null;
  private encodedBytes = 0;
  private decodedBytes = 0;

  constructor(make: Make, output: Output) {
    this.make = make;
    this.output = output;
  }

  /** false: wait for `onDrain`. */
  push(chunk: Buffer): boolean {
    this.stream ??= this.open(chunk);
    this.encodedBytes += chunk.length;
    return this.stream.write(chunk);
  }

  /** Nothing more arrives. */
  end(): void {
    if (this.stream === null) this.output.onEnd();
    else this.stream.end();
  }

  resume(): void {
    this.stream?.resume();
  }

  destroy(): void {
    this.stream?.destroy();
  }

  private open(first: Buffer): zlib.Gunzip {
    const stream = this.make(first);
    const { output } = this;
    stream.on('data', (chunk: Buffer) => {
      this.decodedBytes += chunk.length;
      if (unfoldsTooFar(this.decodedBytes, this.encodedBytes)) {
        stream.destroy(new Error('the answer unfolds too far'));
      } else if (!output.onData(chunk)) stream.pause();
    });
    stream.on('drain', () => output.onDrain());
    stream.on('end', () => output.onEnd());
    stream.on('error', (error) => output.onError(error));
    return stream;
  }
}

/** A whole body. @throws when it cannot be decoded or is longer than `max` then */
export const decodedWhole = async (body: Buffer, coding: string, max: number): Promise<Buffer> => {
  const make = decoderOf(coding);
  if (make === null) throw new Error('the answer has an encoding that cannot be read');
  if (body.length === 0) return body;
  const stream = make(body);
  stream.end(body);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max || unfoldsTooFar(size, body.length)) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};
