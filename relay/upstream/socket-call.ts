import type { WebSocket } from 'ws';
import { AnswerHeaders } from './answer-headers.ts';
import type { UpstreamCall } from './call.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { socketTo } from './socket.ts';
import type { UpstreamRequest } from './types.ts';

const handshakeMs = 5_000;
const lf = 0x0a;
/** Ends that a provider means: "normal", and without a word. */
const plainEnds: ReadonlySet<number> = new Set([1000, 1005]);

type SocketPlan = Readonly<{
  call: UpstreamCall;
  times: Readonly<{ headersTimeoutMs: number; idleTimeoutMs: number }>;
  /** Those that are open; this one joins them until its end. */
  open: Set<SocketCall>;
}>;

/** A frame as one line; line feeds in JSON are nothing but space. */
const lineOf = (frame: Buffer): Buffer => {
  const line = Buffer.concat([frame, Buffer.from('\n')]);
  for (let at = line.indexOf(lf); at < frame.length; at = line.indexOf(lf, at + 1)) line[at] = 0x20;
  return line;
};

const headersOf = ({ headers }: UpstreamRequest): Record<string, string> => {
  const own: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    // The handshake has its own.
    if (!['upgrade', 'content-type'].includes(name)) own[name] = headers[at + 1] ?? '';
  }
  return own;
};

/** A call over a websocket: the body goes up as one text frame, each frame back is a line. */
export class SocketCall {
  private readonly call: UpstreamCall;
  private readonly socket: WebSocket;
  private readonly times: SocketPlan['times'];
  private readonly open: Set<SocketCall>;
  private hasAnswered = false;
  private refused = false;
  private timer: NodeJS.Timeout | null = null;
  private failure: Error | null = null;

  constructor(request: UpstreamRequest, { call, times, open }: SocketPlan) {
    this.call = call;
    this.times = times;
    this.open = open;
    const url = request.origin + request.path;
    const { proxy } = request;
    this.socket = socketTo({ url, headers: headersOf(request), proxy }, handshakeMs);
    open.add(this);
    call.onConnect(() => this.end());
    this.wait(times.headersTimeoutMs);
    this.socket.on('open', () => this.socket.send(request.body, { binary: false }));
    this.socket.on('message', (data: Buffer) => this.onFrame(data));
    this.socket.on('unexpected-response', (_request, res) => {
      this.refused = true;
      this.head(res.statusCode ?? 502);
      res.on('data', (chunk: Buffer) => call.onData(chunk));
      res.on('error', (error) => call.onError(error));
      res.on('end', () => this.over());
    });
    this.socket.on('error', (error) => {
      this.failure = error;
      if (!this.refused) this.fail(error);
    });
    this.socket.on('close', (code) => {
      if (this.refused) return;
      if (this.hasAnswered && plainEnds.has(code)) this.over();
      else this.fail(this.failure ?? new Error(`the upstream closed its socket (${code})`));
    });
  }

  /** The relay stops. */
  breakOff(): void {
    this.fail(new Error('broken off by the relay'));
  }

  private end(): void {
    this.open.delete(this);
    if (this.timer !== null) clearTimeout(this.timer);
    this.socket.terminate();
  }

  private onFrame(data: Buffer): void {
    if (!this.hasAnswered) this.head(200);
    this.wait(this.times.idleTimeoutMs);
    if (!this.call.onData(lineOf(data))) this.socket.pause();
  }

  private head(status: number): void {
    this.hasAnswered = true;
    const raw = ['content-type', 'application/json'].map((text) => Buffer.from(text));
    this.call.onHead(status, AnswerHeaders.of(raw), () => this.socket.resume());
  }

  private over(): void {
    this.call.onComplete();
    this.end();
  }

  private fail(error: Error): void {
    this.call.onError(error);
    this.end();
  }

  private wait(ms: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // Waiting for the client does not count as idle.
      if (this.socket.isPaused) this.wait(ms);
      else this.fail(new IdleTimeout());
    }, ms);
  }
}
