import type { ServerResponse } from 'node:http';
import type { KeyMask } from './key-mask.ts';

const flushed = (stream: ClientStream): void => stream.flush();

/**
 * Writes to the client. What arrives in one turn is sent as one piece: a read of the upstream's
 * socket often holds several events, and each separate write costs more than their scan.
 */
export class ClientStream {
  private readonly res: ServerResponse;
  private readonly resume: () => void;
  private readonly maskOf: () => KeyMask;
  private mask: KeyMask | null = null;
  private first: Buffer | null = null;
  private more: Buffer[] | null = null;
  private waits = false;

  /** `maskOf` is called once, with the first bytes. */
  constructor(
    res: ServerResponse,
    { resume, maskOf }: Readonly<{ resume: () => void; maskOf: () => KeyMask }>,
  ) {
    this.res = res;
    this.resume = resume;
    this.maskOf = maskOf;
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
    if (this.first !== null) this.write(bytes);
    else this.first = bytes;
    this.res.end(this.masks().last(this.take()));
  }

  flush(): void {
    if (this.first === null) return;
    const bytes = this.masks().next(this.take());
    if (bytes.length === 0) return;
    if (this.res.destroyed || this.res.writableEnded) return;
    if (this.res.write(bytes) || this.waits) return;
    this.waits = true;
    this.res.once('drain', () => {
      this.waits = false;
      this.resume();
    });
  }

  private masks(): KeyMask {
    this.mask ??= this.maskOf();
    return this.mask;
  }

  private take(): Buffer {
    const bytes = this.more === null ? this.first : Buffer.concat(this.more);
    this.first = null;
    this.more = null;
    return bytes ?? Buffer.alloc(0);
  }
}
