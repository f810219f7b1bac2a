import type { ServerResponse } from 'node:http';

const flushed = (stream: ClientStream): void => stream.flush();

/**
 * The way to the client. What comes in one turn leaves as one piece: a read of the upstream's
 * socket often holds several events, and each write of its own costs more than their scan.
 */
export class ClientStream {
  private readonly res: ServerResponse;
  private readonly resume: () => void;
  private first: Buffer | null = null;
  private more: Buffer[] | null = null;
  private waits = false;

  constructor(res: ServerResponse, resume: () => void) {
    this.res = res;
    this.resume = resume;
  }

  /** false: the client is slow; `resume` follows by itself. */
  write(bytes: Buffer): boolean {
    if (this.first === null) {
      this.first = bytes;
      process.nextTick(flushed, this);
    } else if (this.more === null) this.more = [this.first, bytes];
    else this.more.push(bytes);
    return !this.waits;
  }

  /** The client has not taken what it was given. */
  get isSlow(): boolean {
    return this.waits;
  }

  /** The last bytes, together with what waits. */
  end(bytes: Buffer): void {
    if (this.first !== null) {
      this.write(bytes);
      this.res.end(this.take());
    } else this.res.end(bytes);
  }

  flush(): void {
    if (this.first === null) return;
    const bytes = this.take();
    if (this.res.destroyed || this.res.writableEnded) return;
    if (this.res.write(bytes) || this.waits) return;
    this.waits = true;
    this.res.once('drain', () => {
      this.waits = false;
      this.resume();
    });
  }

  private take(): Buffer {
    const bytes = this.more === null ? this.first : Buffer.concat(this.more);
    this.first = null;
    this.more = null;
    return bytes ?? Buffer.alloc(0);
  }
}
