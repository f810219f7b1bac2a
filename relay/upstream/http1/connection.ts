import type { Socket } from 'node:net';
import type { UpstreamCall } from '../call.ts';
import { Silence } from '../silence.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { ChunkedBody } from './chunked-body.ts';
import { maxHeadBytes, type ResponseHead, readResponseHead } from './response-head.ts';

/** One request as it goes over the wire. */
export type Ask = Readonly<{
  /** The head, and the body too if it is not long. */
  bytes: Buffer;
  /** A long body, which is not copied behind its head. */
  longBody: Buffer | null;
  call: UpstreamCall;
  /** Ticks of silence that are allowed within the answer. */
  idleTicks: number;
}>;

/** What a connection asks of those who keep it. */
export interface Home {
  readonly connectTicks: number;
  /** From the request to the whole head of its answer. */
  readonly headTicks: number;
  /** How long it may wait for the next request; null: not at all. */
  restTicks(keepsSeconds: number | null): number | null;
  release(connection: Connection): void;
  gone(connection: Connection): void;
  /** Nothing of this request was sent when its connection turned out to be closed. */
  redo(ask: Ask): void;
}

/** Opens a socket whose bytes go to `read`: views that are good during the call alone. */
export type Dial = (read: (count: number, bytes: Buffer) => void) => Socket;

const headEnd = Buffer.from('\r\n\r\n', 'latin1');

/** One connection to a provider: one request at a time, and then the next. */
export class Connection {
  private readonly home: Home;
  private readonly socket: Socket;
  private ask: Ask | null = null;
  private isOpen = false;
  private isWritten = false;
  private isPaused = false;
  private head: ResponseHead | null = null;
  private chunks: ChunkedBody | null = null;
  /** Of a body that says its length: what is still to come. */
  private left = 0;
  /** The start of a head that did not come in one piece. */
  private gathered: Buffer | null = null;
  private quietTicks = 0;
  private mostQuietTicks: number;

  constructor(home: Home, dial: Dial, opened: 'connect' | 'secureConnect') {
    this.home = home;
    this.mostQuietTicks = home.connectTicks;
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
  take(ask: Ask): void {
    this.ask = ask;
    this.isWritten = false;
    if (this.isOpen) this.expect(this.home.headTicks);
    ask.call.onConnect(this.abort);
  }

  write(): void {
    const { ask, socket } = this;
    if (ask === null || socket.destroyed) return;
    this.isWritten = true;
    socket.write(ask.bytes);
    if (ask.longBody !== null) socket.write(ask.longBody);
  }

  /** Time goes by. */
  tick(): void {
    if (this.isPaused) return;
    this.quietTicks += 1;
    if (this.quietTicks <= this.mostQuietTicks) return;
    if (this.ask === null) this.socket.destroy();
    else if (this.isOpen) this.fail(new Silence());
    else this.fail(new Error('the upstream cannot be reached in time'));
  }

  /** Ends it, and the call that it carries, if any, as failed. */
  fail(error: Error): void {
    const { ask } = this;
    this.ask = null;
    this.socket.destroy();
    ask?.call.onError(error);
  }

  private readonly abort = (): void => {
    this.ask = null;
    this.socket.destroy();
  };

  private readonly resume = (): void => {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.quietTicks = 0;
    this.socket.resume();
  };

  private expect(ticks: number): void {
    this.quietTicks = 0;
    this.mostQuietTicks = ticks;
  }

  private read(count: number, bytes: Buffer): void {
    const { ask } = this;
    if (ask === null || !this.isWritten) {
      // Words that nobody asked for must not be taken for the next answer.
      this.socket.destroy();
      return;
    }
    try {
      if (this.head === null) this.readHead(ask, bytes, count);
      else this.readBody(ask, bytes, { from: 0, to: count });
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private readHead(ask: Ask, read: Buffer, count: number): void {
    const { gathered } = this;
    const bytes = gathered === null ? read : Buffer.concat([gathered, read.subarray(0, count)]);
    const to = gathered === null ? count : bytes.length;
    if (gathered !== null && to <= maxHeadBytes && bytes.indexOf(headEnd) < 0) {
      this.gathered = bytes;
      return;
    }
    let from = 0;
    for (;;) {
      const head = readResponseHead(bytes, from, to);
      if (head === null) {
        this.gathered = Buffer.from(bytes.subarray(from, to));
        return;
      }
      if (head.status === 101) throw new BrokenAnswer('the upstream speaks another protocol now');
      from = head.bodyStart;
      if (head.status < 200) continue;
      this.gathered = null;
      this.begin(ask, head);
      if (this.ask === ask) this.readBody(ask, bytes, { from, to });
      return;
    }
  }

  private begin(ask: Ask, head: ResponseHead): void {
    this.head = head;
    this.left = head.framing === 'length' ? head.length : 0;
    this.chunks = head.framing === 'chunked' ? new ChunkedBody() : null;
    this.expect(ask.idleTicks);
    ask.call.onHead(head.status, head.headers, this.resume);
  }

  private readBody(ask: Ask, bytes: Buffer, { from, to }: Span): void {
    this.quietTicks = 0;
    let end = to;
    let isOver: boolean;
    let goOn = true;
    if (this.chunks !== null) {
      const out = Buffer.allocUnsafe(to - from);
      const taken = this.chunks.take(bytes, { from, to }, out);
      end = taken.at;
      isOver = this.chunks.isOver;
      if (taken.filled > 0) goOn = ask.call.onData(out.subarray(0, taken.filled));
    } else {
      const size =
        this.head?.framing === 'until-close' ? to - from : Math.min(this.left, to - from);
      end = from + size;
      this.left -= size;
      isOver = this.head?.framing !== 'until-close' && this.left === 0;
      if (size > 0) goOn = ask.call.onData(copyOf(bytes, from, end));
    }
    if (this.ask !== ask) return;
    if (isOver) this.finish(ask, end === to);
    else if (!goOn) this.pause();
  }

  private pause(): void {
    this.isPaused = true;
    this.socket.pause();
  }

  /** `isClean`: nothing came behind the answer. */
  private finish({ call }: Ask, isClean: boolean): void {
    const { head, socket } = this;
    this.ask = null;
    this.head = null;
    this.chunks = null;
    const rest = head?.persists === true ? this.home.restTicks(head.keepsSeconds) : null;
    if (rest !== null && isClean && socket.writableLength === 0) {
      this.expect(rest);
      this.home.release(this);
    } else socket.destroy();
    call.onComplete();
  }

  private onEnd(): void {
    const { ask } = this;
    if (ask !== null && this.head?.framing === 'until-close') this.finish(ask, false);
  }

  private onClose(): void {
    const { ask } = this;
    this.home.gone(this);
    if (ask === null) return;
    if (this.isWritten) this.fail(new Error('the upstream hung up'));
    else {
      this.ask = null;
      this.home.redo(ask);
    }
  }
}

type Span = Readonly<{ from: number; to: number }>;

const copyOf = (bytes: Buffer, from: number, to: number): Buffer => {
  const own = Buffer.allocUnsafe(to - from);
  bytes.copy(own, 0, from, to);
  return own;
};
