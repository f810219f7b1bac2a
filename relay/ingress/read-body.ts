import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { gatherShared } from '../offload/shared-bytes.ts';
import { largeBytes } from '../offload/sizes.ts';
import { type ApiError, gatewayError } from './api-error.ts';

export type BodyResult = Buffer | ApiError | 'gone';

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', promisify(inflate)],
]);

const tooLarge = (maxBytes: number): ApiError =>
  gatewayError(413, 'request_too_large', `Request body is larger than ${maxBytes} bytes`);

/** Long bodies are put together step by step, where other threads can read them. */
const joined = (first: Buffer | null, chunks: readonly Buffer[] | null, size: number) => {
  if (chunks === null) return first ?? Buffer.alloc(0);
  return size < largeBytes ? Buffer.concat(chunks, size) : gatherShared(chunks, size);
};

const decode = async (raw: Buffer, encoding: string, maxBytes: number): Promise<BodyResult> => {
  const decoder = decoders.get(encoding);
  if (decoder === undefined) {
    return gatewayError(415, 'unsupported_encoding', 'Content-Encoding is not supported');
  }
  try {
    return await decoder(raw, { maxOutputLength: maxBytes });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    if (isLarge) return tooLarge(maxBytes);
    return gatewayError(400, 'invalid_request_body', 'Request body cannot be decompressed');
  }
};

/** Collects a body up to a limit and decompresses it. `done` runs once. */
export const readBody = (
  req: IncomingMessage,
  maxBytes: number,
  done: (result: BodyResult) => void,
): void => {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    done(tooLarge(maxBytes));
    return;
  }
  let first: Buffer | null = null;
  let chunks: Buffer[] | null = null;
  let size = 0;
  let finished = false;
  const finish = (result: BodyResult): void => {
    if (finished) return;
    finished = true;
    done(result);
  };
  req.on('data', (chunk: Buffer) => {
    if (finished) return;
    size += chunk.length;
    if (size > maxBytes) {
      finish(tooLarge(maxBytes));
      return;
    }
    if (first === null) first = chunk;
    else if (chunks === null) chunks = [first, chunk];
    else chunks.push(chunk);
  });
  const finishWith = (raw: Buffer): void => {
    const encoding = req.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') finish(raw);
    else void decode(raw, encoding.toLowerCase(), maxBytes).then(finish);
  };
  req.on('end', () => {
    const raw = joined(first, chunks, size);
    chunks = null;
    first = null;
    if (Buffer.isBuffer(raw)) finishWith(raw);
    else void raw.then(finishWith);
  });
  req.on('error', () => finish('gone'));
  req.on('close', () => {
    // A whole body may still be on its way through the decompressor.
    if (!req.complete) finish('gone');
  });
};
