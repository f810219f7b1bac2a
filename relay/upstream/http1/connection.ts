import type { Socket } from 'node:net';
import type { UpstreamCall } from '../call.ts';
import { IdleTimeout } from '../idle-timeout.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { ChunkedBody } from './chunked-body.ts';
import { maxHeadBytes, type ResponseHead, readResponseHead } from './response-head.ts';

/** One request as it goes over the wire. */
export type WireRequest = Readonly<{
  /** The head, and the body too if it is not long. */
  bytes: Buffer;
  /** A long body, which is not copied behind its head. */
  longBody: Buffer | null;
  call: UpstreamCall;
  /** Idle timeout within the answer, in ticks. */
  idleTicks: number;
}>;

/** What a connection needs of the pool that owns it. */
export interface Home {
  readonly connectTicks: number;
  /** From the request to the whole head of its answer. */
  readonly headTicks: number;
  /** How long it may wait for the next request; null: not at all. */
  restTicks(keepsSeconds: number | null): number | null;
  release(connection: Connection): void;
  gone(connection: Connection): void;
  /** Nothing of this request was sent when its connection turned out to be closed. */
  redo(request: WireRequest): void;
}

/** Opens a socket whose bytes go to `read`: views that are good during the call alone. */
export type Dial = (read: (count: number, bytes: Buffer) => void) => Socket;

/** What an answered request may still take to be sent, before its connection is given up. */
const writeEndTicks = 1;

const headEnd = Buffer.from('\r\n\r\n', 'latin1');
const isUnfinished = (head: Buffer): boolean =>
  head.length <= maxHeadBytes && head.indexOf(headEnd) < 0;

/** One connection to a provider: one request at a time, and then the next. */
export class Connection {
  private readonly home: Home;
  private readonly socket: Socket;
  private request: WireRequest | null = null;
  private isOpen = false;
  private isWritten = false;
  /** Writes whose end the socket has not reported: over TLS that is a turn of the loop later. */
  private writesLeft = 0;
  /** How long it may wait for the next request once its last write has ended; null: it carries one. */
  private restTicks: number | null = null;
  private isPaused = false;
  private head: ResponseHead | null = null;
  private chunks: ChunkedBody | null = null;
  /** Bytes of a body with a length that are still missing. */
  private left = 0;
  /** The start of a head that did not arrive in one piece. */
  private gathered: Buffer | null = null;
  private quietTicks = 0;
  private maxQuietTicks: number;

  constructor(home: Home, dial: Dial, opened: 'connect' | 'secureConnect') {
    this.home = home;
    this.maxQuietTicks = home.connectTicks;
    this.socket = dial((count, bytes) => this.read(count, bytes));
    this.socket.once(opened, () => {
      this.isOpen = true;
      this.expect(home.headTicks);
    });
    this.socket.on('end', () => this.onEnd());
    this.socket.on('error', (error) => {
      if (this.isWritten) this.fail(error);
    });
    this.socket.on('close', () => this.onClose());
  }

  /** Takes a request over; `write` sends it. */
  take(request: WireRequest): void {
    this.request = request;
    this.isWritten = false;
    if (this.isOpen) this.expect(this.home.headTicks);
    request.call.onConnect(this.abort);
  }

  write(): void {
    const { request, socket } = this;
    if (request === null || socket.destroyed) return;
    this.isWritten = true;
    this.writesLeft += 1;
    socket.write(request.bytes, this.onWritten);
    if (request.longBody === null) return;
    this.writesLeft += 1;
    socket.write(request.longBody, this.onWritten);
  }

  /** Time goes by. */
  tick(): void {
    if (this.isPaused) return;
    this.quietTicks += 1;
    if (this.quietTicks <= this.maxQuietTicks) return;
    if (this.request === null) this.socket.destroy();
    else if (this.isOpen) this.fail(new IdleTimeout());
    else this.fail(new Error('the upstream cannot be reached in time'));
  }

  /** Ends it, and the call that it carries, if any, as failed. */
  fail(error: Error): void {
    const { request } = this;
    this.request = null;
    this.socket.destroy();
    request?.call.onError(error);
  }

  private readonly abort = (): void => {
    this.request = null;
    this.socket.destroy();
  };

  private readonly resume = (): void => {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.quietTicks = 0;
    this.socket.resume();
  };

  private readonly onWritten = (): void => {
    this.writesLeft -= 1;
    this.rest();
  };

  /** A request of which a part is not sent yet, although its answer is there, gets a moment for it. */
  private rest(): void {
    const { restTicks, socket } = this;
    if (restTicks === null || socket.destroyed) return;
    if (this.writesLeft > 0) {
      this.expect(writeEndTicks);
      return;
    }
    this.restTicks = null;
    this.expect(restTicks);
    this.home.release(this);
  }

  private expect(ticks: number): void {
    this.quietTicks = 0;
    this.maxQuietTicks = ticks;
  }

  private read(count: number, bytes: Buffer): void {
    const { request } = this;
    if (request === null || !this.isWritten) {
      // Unsolicited bytes must not be taken for the next answer.
      this.socket.destroy();
      return;
    }
    try {
      if (this.head === null) this.readHead(request, bytes, count);
      else this.readBody(request, bytes, { from: 0, to: count });
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private readHead(request: WireRequest, read: Buffer, count: number): void {
    const { gathered } = this;
    let bytes = read;
    let to = count;
    if (gathered !== null) {
      bytes = Buffer.concat([gathered, read.subarray(0, count)]);
      to = bytes.length;
      if (isUnfinished(bytes)) {
        this.gathered = bytes;
        return;
      }
    }
    let from = 0;
    for (;;) {
      const head = readResponseHead(bytes, from, to);
      if (head === null) {
        this.gathered = Buffer.from(bytes.subarray(from, to));
        return;
      }
      if (head.status === 101) throw new BrokenAnswer('the upstream switched to another protocol');
      from = head.bodyStart;
      if (head.status < 200) continue;
      this.gathered = null;
      this.begin(request, head);
      if (this.request === request) this.readBody(request, bytes, { from, to });
      return;
    }
  }

  private begin(request: WireRequest, head: ResponseHead): void {
    this.head = head;
    this.left = head.framing === 'length' ? head.length : 0;
    this.chunks = head.framing === 'chunked' ? new ChunkedBody() : null;
    this.expect(request.idleTicks);
    request.call.onHead(head.status, head.headers, this.resume);
  }

  private readBody(request: WireRequest, bytes: Buffer, { from, to }: Span): void {
    this.quietTicks = 0;
    let end = to;
    let isOver: boolean;
    let goOn = true;
    if (this.chunks !== null) {
      const out = Buffer.allocUnsafe(to - from);
      const taken = this.chunks.take(bytes, { from, to }, out);
      end = taken.at;
      isOver = this.chunks.isOver;
      if (taken.filled > 0) goOn = request.call.onData(out.subarray(0, taken.filled));
    } else {
      const size =
        this.head?.framing === 'until-close' ? to - from : Math.min(this.left, to - from);
      end = from + size;
      this.left -= size;
      isOver = this.head?.framing !== 'until-close' && this.left === 0;
      if (size > 0) goOn = request.call.onData(copyOf(bytes, from, end));
    }
    if (this.request !== request) return;
    if (isOver) this.finish(request, end === to);
    else if (!goOn) this.pause();
  }

  private pause(): void {
    this.isPaused = true;
    this.socket.pause();
  }

  /** `isClean`: nothing followed the answer. */
  private finish({ call }: WireRequest, isClean: boolean): void {
    const { head } = this;
    this.request = null;
    this.head = null;
    this.chunks = null;
    const restTicks = head?.persists === true ? this.home.restTicks(head.keepsSeconds) : null;
    if (restTicks !== null && isClean) {
      this.restTicks = restTicks;
      this.rest();
    } else this.socket.destroy();
    call.onComplete();
  }

  private onEnd(): void {
    const { request } = this;
    if (request !== null && this.head?.framing === 'until-close') this.finish(request, false);
  }

  private onClose(): void {
    const { request } = this;
    this.home.gone(this);
    if (request === null) return;
    if (this.isWritten) this.fail(new Error('the upstream hung up'));
    else {
      this.request = null;
      this.home.redo(request);
    }
  }
}

type Span = Readonly<{ from: number; to: number }>;

const copyOf = (bytes: Buffer, from: number, to: number): Buffer => {
  const own = Buffer.allocUnsafe(to - from);
  bytes.copy(own, 0, from, to);
  return own;
};
