import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { gatherShared } from '../offload/shared-bytes.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { largeBytes } from '../protocol/large-body.ts';
import { relayError } from '../protocol/relay-errors.ts';
import type { Incoming } from './admitted.ts';
import type { AdmissionDeps } from './deps.ts';
import { freeMemory } from './free-memory.ts';

export type BodyResult = Buffer | ApiError | 'gone';

type Done = (result: BodyResult) => void;

const decoders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

const tooLarge = (maxBytes: number): ApiError =>
  relayError('request_too_large', `Request body is larger than ${maxBytes} bytes`);

const noRoom: ApiError = relayError('request_memory_exhausted');

const unknownEncoding = relayError('unsupported_encoding');

const brokenEncoding = relayError('invalid_request_body', 'Request body cannot be decompressed');

/** From this size of a body on, freeing its pieces takes less than their share of a collection. */
const freedBytes = 64 * 1024;

/** The pieces of a body, counted against the limit of one body and the budget of the process. */
class Pieces {
  readonly #core: AdmissionDeps;
  readonly #incoming: Incoming;
  readonly #maxBytes: number;
  #first: Buffer | null = null;
  #pieces: Buffer[] | null = null;
  size = 0;

  constructor(core: AdmissionDeps, incoming: Incoming, maxBytes: number) {
    this.#core = core;
    this.#incoming = incoming;
    this.#maxBytes = maxBytes;
  }

  /** null: it was taken; otherwise why not. */
  add(piece: Buffer): ApiError | null {
    const { length } = piece;
    if (this.size + length > this.#maxBytes) return tooLarge(this.#maxBytes);
    if (!this.#core.bodies.take(length, this.size)) return noRoom;
    this.#incoming.heldBytes += length;
    this.size += length;
    if (this.#first === null) this.#first = piece;
    else if (this.#pieces === null) this.#pieces = [this.#first, piece];
    else this.#pieces.push(piece);
    return null;
  }

  /** Long bodies are put together step by step, where other threads can read them. */
  whole(): Buffer | Promise<Buffer> {
    const pieces = this.#pieces;
    if (pieces === null) return this.#first ?? Buffer.alloc(0);
    this.#pieces = null;
    this.#first = null;
    const { size } = this;
    if (size >= largeBytes) return gatherShared(pieces, size);
    const bytes = Buffer.concat(pieces, size);
    if (size >= freedBytes) freeMemory(pieces);
    return bytes;
  }

  writeTo(decoder: Transform): void {
    for (const piece of this.#pieces ?? [this.#first ?? Buffer.alloc(0)]) decoder.write(piece);
    decoder.end();
  }

  /** The request has ended; nothing may be taken for it any more. */
  isOver(): boolean {
    return this.#incoming.res.destroyed;
  }

  drop(): void {
    // The end of the request gives back everything that is still held.
    const held = Math.min(this.size, this.#incoming.heldBytes);
    this.#core.bodies.give(held);
    this.#incoming.heldBytes -= held;
    this.size = 0;
    this.#first = null;
    this.#pieces = null;
  }
}

/** Decompresses what was read; the result counts against the same limits. */
const decode = (raw: Pieces, plain: Pieces, encoding: string): Promise<BodyResult> => {
  const create = decoders.get(encoding);
  if (create === undefined) return Promise.resolve(unknownEncoding);
  const decoder = create();
  return new Promise<BodyResult>((resolve) => {
    const stop = (result: ApiError | 'gone'): void => {
      plain.drop();
      decoder.destroy();
      resolve(result);
    };
    decoder.on('data', (piece: Buffer) => {
      const refused = plain.isOver() ? 'gone' : plain.add(piece);
      if (refused !== null) stop(refused);
    });
    decoder.on('end', () => resolve(plain.whole()));
    decoder.on('error', () => stop(brokenEncoding));
    raw.writeTo(decoder);
  }).finally(() => raw.drop());
};

/** Collects a body up to the limit of the relay and decompresses it. `done` runs once. */
export const readBody = (core: AdmissionDeps, incoming: Incoming, done: Done): void =>
  readBodyUpTo(core, incoming, { maxBytes: core.settings.maxBodyBytes, done });

/** The same with a separate limit. What it holds is returned when the request is over. */
export const readBodyUpTo = (
  core: AdmissionDeps,
  incoming: Incoming,
  { maxBytes, done }: Readonly<{ maxBytes: number; done: Done }>,
): void => {
  const { req } = incoming;
  if (req.destroyed) {
    done('gone');
    return;
  }
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    done(tooLarge(maxBytes));
    return;
  }
  const raw = new Pieces(core, incoming, maxBytes);
  let finished = false;
  const finish = (result: BodyResult): void => {
    if (finished) return;
    finished = true;
    done(result);
  };
  req.on('data', (piece: Buffer) => {
    if (finished) return;
    const refused = raw.add(piece);
    if (refused === null) return;
    raw.drop();
    finish(refused);
  });
  req.on('end', () => {
    if (finished) return;
    const encoding = req.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') {
      const whole = raw.whole();
      if (Buffer.isBuffer(whole)) finish(whole);
      else void whole.then(finish);
    } else {
      const plain = new Pieces(core, incoming, maxBytes);
      void decode(raw, plain, encoding.toLowerCase()).then(finish);
    }
  });
  req.on('error', () => finish('gone'));
  req.on('close', () => {
    // A whole body may still be on its way through the decompressor.
    if (!req.complete) finish('gone');
  });
};
