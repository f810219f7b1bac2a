/** Bytes read on after the client has gone. */
const maxBytes = 16_777_216;

/** How long an upstream is read on after its client has gone; `end` is called once it is too long. */
export class Drain {
  private readonly end: () => void;
  private bytes = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(end: () => void) {
    this.end = end;
  }

  /** 0: not at all. */
  start(ms: number): void {
    if (ms === 0) this.end();
    else this.timer = setTimeout(this.end, ms);
  }

  took(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > maxBytes) this.end();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
  }
}
