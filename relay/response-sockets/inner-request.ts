import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** The parts of a request: its head once, then its body, then its end, whole or not. */
export type AnswerSink = Readonly<{
  head: (status: number, headers: ReadonlyMap<string, string>) => void;
  /** `taken` is called when more may be sent. */
  body: (bytes: Buffer, taken: () => void) => void;
  end: () => void;
}>;

const headEnd = Buffer.from('\r\n\r\n');

/** The caller's side of a request that arrived in a frame: it reads what the response writes. */
class AnswerSocket extends Duplex {
  readonly remoteAddress: string | undefined;
  private readonly sink: AnswerSink;
  private unread: Buffer | null = Buffer.alloc(0);

  constructor(remoteAddress: string | undefined, sink: AnswerSink) {
    super();
    this.remoteAddress = remoteAddress;
    this.sink = sink;
    this.on('close', sink.end);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const bytes = this.unread === null ? chunk : this.readHead(chunk);
    if (bytes.length === 0) done();
    else this.sink.body(bytes, done);
  }

  /** What follows the head; nothing as long as the head is not whole. */
  private readHead(chunk: Buffer): Buffer {
    const all = Buffer.concat([this.unread ?? Buffer.alloc(0), chunk]);
    const end = all.indexOf(headEnd);
    if (end === -1) {
      this.unread = all;
      return Buffer.alloc(0);
    }
    this.unread = null;
    const [line = '', ...fields] = all.toString('latin1', 0, end).split('\r\n');
    const headers = fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
    });
    this.sink.head(Number(line.split(' ')[1]), new Map(headers));
    return all.subarray(end + headEnd.length);
  }
}

const ofTheConnection =
  /^(connection|upgrade|content-length|content-type|content-encoding|transfer-encoding|accept|accept-encoding|sec-websocket-(key|version|extensions))$/;

type Inner = Readonly<{
  path: string;
  body: Buffer;
  /** Of the connection, in whose trace the request is; null: that of its headers, if any. */
  traceparent: string | null;
}>;

const headersOf = (
  { headers }: IncomingMessage,
  { body, traceparent }: Inner,
): IncomingMessage['headers'] => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheConnection.test(name))),
  ...(traceparent === null ? {} : { traceparent }),
  'content-type': 'application/json',
  'content-length': String(body.length),
  accept: 'text/event-stream',
});

export type InnerRequest = Readonly<{
  req: IncomingMessage;
  res: ServerResponse;
  /** The caller has gone. */
  abort: () => void;
}>;

/**
 * A separate request for a frame of a connection, with the headers that opened the connection. It
 * is of HTTP/1.0, whose answers have no frames and end with the connection.
 */
export const innerRequest = (
  opened: IncomingMessage,
  inner: Inner,
  sink: AnswerSink,
): InnerRequest => {
  const duplex = new AnswerSocket(opened.socket.remoteAddress, sink);
  // Neither side needs more than a stream and an address.
  const socket = duplex as unknown as Socket;
  const req = new IncomingMessage(socket);
  req.method = 'POST';
  req.url = inner.path;
  req.httpVersion = '1.0';
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 0;
  req.headers = headersOf(opened, inner);
  req.complete = true;
  req.push(inner.body);
  req.push(null);
  const res = new ServerResponse(req);
  res.assignSocket(socket);
  res.once('finish', () => duplex.destroy());
  // A server emits this for its own connections: without it a response that has to wait never
  // continues.
  duplex.on('drain', () => {
    if (!res.writableEnded) res.emit('drain');
  });
  return { req, res, abort: () => duplex.destroy() };
};
