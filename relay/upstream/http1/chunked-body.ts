import { BrokenAnswer } from './broken-answer.ts';

const cr = 0x0d;
const lf = 0x0a;
const semicolon = 0x3b;
const space = 0x20;
const tab = 0x09;
/** 13 digits stay below 2^53. */
const maxSizeDigits = 13;
/** Of chunk extensions in a row, which are skipped, and of all trailers. */
const maxExtraBytes = 16_384;

const hexValue = new Int8Array(256).fill(-1);
for (const [value, char] of [...'0123456789abcdef'].entries()) {
  hexValue[char.charCodeAt(0)] = value;
  hexValue[char.toUpperCase().charCodeAt(0)] = value;
}

/** What the next byte is part of. */
const part = {
  size: 0,
  extension: 1,
  sizeEnd: 2,
  data: 3,
  dataCr: 4,
  dataLf: 5,
  trailerStart: 6,
  trailer: 7,
  trailerEnd: 8,
  end: 9,
  over: 10,
} as const;

/** Takes a body out of its chunks (RFC 9112, section 7.1), however they are cut into reads. */
export class ChunkedBody {
  private next: number = part.size;
  private digits = 0;
  /** Bytes of the current chunk that are still missing. */
  private left = 0;
  private extraBytes = 0;

  get isOver(): boolean {
    return this.next === part.over;
  }

  /**
   * Copies what `bytes` hold of the body, from `from` up to `to`, to the start of `out`.
   * @returns how many bytes those were, and where reading stopped: before `to` once the body is over
   * @throws BrokenAnswer
   */
  take(bytes: Buffer, { from, to }: Readonly<{ from: number; to: number }>, out: Buffer): Taken {
    let at = from;
    let filled = 0;
    while (at < to && this.next !== part.over) {
      if (this.next === part.data) {
        const size = Math.min(this.left, to - at);
        bytes.copy(out, filled, at, at + size);
        filled += size;
        at += size;
        this.left -= size;
        if (this.left === 0) this.next = part.dataCr;
      } else {
        this.mark(bytes[at] ?? 0);
        at += 1;
      }
    }
    return { filled, at };
  }

  /** One byte of the framing around the data. */
  private mark(byte: number): void {
    switch (this.next) {
      case part.size:
        this.size(byte);
        return;
      case part.extension:
        if (byte === cr) this.next = part.sizeEnd;
        else this.extra(byte);
        return;
      case part.sizeEnd:
        this.must(byte === lf);
        this.next = this.left === 0 ? part.trailerStart : part.data;
        this.digits = 0;
        return;
      case part.dataCr:
        this.must(byte === cr);
        this.next = part.dataLf;
        return;
      case part.dataLf:
        this.must(byte === lf);
        this.next = part.size;
        return;
      default:
        this.trailer(byte);
    }
  }

  private size(byte: number): void {
    const value = hexValue[byte] ?? -1;
    if (value >= 0) {
      this.digits += 1;
      this.must(this.digits <= maxSizeDigits);
      this.left = this.left * 16 + value;
      return;
    }
    this.must(this.digits > 0);
    if (byte === cr) {
      this.next = part.sizeEnd;
      return;
    }
    this.must(byte === semicolon || byte === space || byte === tab);
    this.next = part.extension;
  }

  /** Trailers are skipped: nothing in an answer's end is used. */
  private trailer(byte: number): void {
    switch (this.next) {
      case part.trailerStart:
        if (byte === cr) {
          this.next = part.end;
          return;
        }
        this.next = part.trailer;
        this.extra(byte);
        return;
      case part.trailer:
        if (byte === cr) this.next = part.trailerEnd;
        else this.extra(byte);
        return;
      case part.trailerEnd:
        this.must(byte === lf);
        this.next = part.trailerStart;
        return;
      default:
        this.must(byte === lf);
        this.next = part.over;
    }
  }

  private extra(byte: number): void {
    this.extraBytes += 1;
    this.must(byte !== lf && this.extraBytes <= maxExtraBytes);
  }

  private must(holds: boolean): void {
    if (!holds) throw new BrokenAnswer('the chunks of the answer cannot be read');
  }
}

export type Taken = Readonly<{ filled: number; at: number }>;
