import type { ServerHttp2Stream } from 'node:http2';
import { type Outgoing, send } from './calls.ts';

/*
 * The framework sends each message by a separate write, and waits for it: that is most of what a
 * read of a long log costs on both sides. gRPC messages simply follow each other in the body of the
 * response, so many are sent in one write here.
 */

/** Bytes of one write: several frames of HTTP/2. */
const packBytes = 64 * 1024;
const headerBytes = 5;

const isHttp2Stream = (value: unknown): value is ServerHttp2Stream =>
  typeof value === 'object' &&
  value !== null &&
  'respond' in value &&
  'write' in value &&
  'destroyed' in value;

/** What carries a call, where the framework keeps it; null: it keeps it somewhere else. */
const carrierOf = (call: Outgoing): ServerHttp2Stream | null => {
  const { call: inner } = call as unknown as Readonly<{ call?: Readonly<{ stream?: unknown }> }>;
  return isHttp2Stream(inner?.stream) ? inner.stream : null;
};

/** Each message behind one byte 0, not compressed, and its length. */
const pack = (messages: readonly Buffer[], size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const message of messages) {
    bytes[at] = 0;
    bytes.writeUInt32BE(message.length, at + 1);
    message.copy(bytes, at + headerBytes);
    at += headerBytes + message.length;
  }
  return bytes;
};

const packsOf = function* (messages: readonly Buffer[]): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const message of messages) {
    waiting.push(message);
    size += headerBytes + message.length;
    if (size < packBytes) continue;
    yield pack(waiting, size);
    waiting = [];
    size = 0;
  }
  if (waiting.length > 0) yield pack(waiting, size);
};

type Ending = Readonly<{ stream: ServerHttp2Stream; signal: AbortSignal }>;

/** Resolves when `start` does, and also when nothing more can be sent. */
const orEnded = ({ stream, signal }: Ending, start: (done: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('close', done);
      stream.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stream.once('close', done);
    signal.addEventListener('abort', done, { once: true });
    start(done);
  });

/** Sends messages in as few writes as possible, and waits while the caller is slower than we are. */
export const sendPacked = async (
  call: Outgoing,
  messages: readonly Buffer[],
  signal: AbortSignal,
): Promise<void> => {
  const [first, ...others] = messages;
  const stream = carrierOf(call);
  if (first === undefined || signal.aborted) return;
  if (stream === null || others.length === 0) {
    for (const message of messages) await send(call, message, signal);
    return;
  }
  const isOver = (): boolean => signal.aborted || stream.destroyed || stream.writableEnded;
  if (isOver()) return;
  // The first goes by the framework: behind the headers, and behind all that went before.
  await orEnded({ stream, signal }, (done) => call.write(first as never, done));
  for (const bytes of packsOf(others)) {
    if (isOver()) return;
    if (stream.write(bytes)) continue;
    await orEnded({ stream, signal }, (done) => stream.once('drain', done));
  }
};
