import { AnswerHeaders, isNamed } from '../answer-headers.ts';
import { BrokenAnswer } from './broken-answer.ts';

/** How the bytes of a body are marked off (RFC 9112, section 6.3). */
type Framing = 'none' | 'length' | 'chunked' | 'until-close';

/** A head as it was read. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly framing: Framing;
  /** Bytes of the body where `framing` is `length`. */
  readonly length: number;
  /** The connection can take another request after this answer. */
  readonly persists: boolean;
  /** Seconds that the provider keeps an idle connection, where it announces them. */
  readonly keepsSeconds: number | null;
  /** Where the body starts in the bytes that were read. */
  readonly bodyStart: number;
}

/** As much as Node takes from clients. */
export const maxHeadBytes = 16_384;

const cr = 0x0d;
const lf = 0x0a;
const colon = 0x3a;
const space = 0x20;
const tab = 0x09;
const zero = 0x30;

/** 1: allowed in the name of a header (RFC 9110, section 5.6.2). */
const isToken = new Uint8Array(256);
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  isToken[char.charCodeAt(0)] = 1;
}

/** 1: allowed in a value: no control character but the tab (RFC 9110, section 5.5). */
const isValueByte = new Uint8Array(256).fill(1, space);
isValueByte[tab] = 1;
isValueByte[0x7f] = 0;

const isBlank = (byte: number | undefined): boolean => byte === space || byte === tab;

/** "HTTP/1." and what follows it: minor version, space, three digits. */
const versionText = Buffer.from('HTTP/1.', 'latin1');
const statusLineBytes = 'HTTP/1.1 200'.length;

const digitAt = (bytes: Buffer, at: number): number => {
  const digit = (bytes[at] ?? 0) - zero;
  if (digit < 0 || digit > 9) throw new BrokenAnswer('the status of the answer is no number');
  return digit;
};

const wholeNumber = /^\d{1,15}$/;
const keepTime = /(?:^|[\s,;])timeout=(\d{1,9})/i;

/** Where a value starts and ends. */
type Span = readonly [number, number];

/** One answer's head, read line by line out of the bytes of a connection. */
class HeadReader implements ResponseHead {
  readonly headers: AnswerHeaders;
  private readonly bytes: Buffer;
  private readonly end: number;
  status = 0;
  framing: Framing = 'none';
  length = -1;
  bodyStart = -1;
  persists = true;
  private isChunked = false;
  keepsSeconds: number | null = null;

  constructor(bytes: Buffer, end: number) {
    this.headers = new AnswerHeaders(bytes);
    this.bytes = bytes;
    this.end = end;
  }

  /** false: more bytes are needed. */
  read(from: number): boolean {
    let at = this.statusLine(from);
    while (at >= 0 && at + 1 < this.end) {
      if (this.bytes[at] === cr) {
        if (this.bytes[at + 1] !== lf) throw new BrokenAnswer('a line of the head has no end');
        this.bodyStart = at + 2;
        this.frame();
        return true;
      }
      at = this.line(at);
    }
    return false;
  }

  private statusLine(from: number): number {
    const { bytes } = this;
    if (this.end - from <= statusLineBytes) return -1;
    if (bytes.compare(versionText, 0, versionText.length, from, from + versionText.length) !== 0) {
      throw new BrokenAnswer('the answer is not HTTP/1.1');
    }
    const version = from + versionText.length;
    if (bytes[version] === zero) this.persists = false;
    if (bytes[version + 1] !== space) throw new BrokenAnswer('the answer is not HTTP/1.1');
    const hundreds = digitAt(bytes, version + 2) * 100;
    this.status = hundreds + digitAt(bytes, version + 3) * 10 + digitAt(bytes, version + 4);
    return this.afterLine(from + statusLineBytes);
  }

  /** The offset after the end of the line at `at`; control characters are not allowed in it. */
  private afterLine(at: number): number {
    const stop = this.valueEnd(at);
    return stop < 0 ? -1 : stop + 2;
  }

  /** Where the value that holds `at` ends; -1: not all of it is here. */
  private valueEnd(from: number): number {
    const { bytes, end } = this;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (isValueByte[byte] === 1) continue;
      if (byte !== cr) throw new BrokenAnswer('the head of the answer holds a control character');
      if (at + 1 >= end) return -1;
      if (bytes[at + 1] !== lf) throw new BrokenAnswer('a line of the head has no end');
      return at;
    }
    return -1;
  }

  private line(from: number): number {
    const { bytes, end } = this;
    let nameEnd = from;
    while (nameEnd < end && isToken[bytes[nameEnd] ?? 0] === 1) nameEnd += 1;
    if (nameEnd >= end) return -1;
    if (nameEnd === from || bytes[nameEnd] !== colon) {
      throw new BrokenAnswer('a line of the head is no header');
    }
    const stop = this.valueEnd(nameEnd + 1);
    if (stop < 0) return -1;
    let start = nameEnd + 1;
    while (start < stop && isBlank(bytes[start])) start += 1;
    let last = stop;
    while (last > start && isBlank(bytes[last - 1])) last -= 1;
    const value = [start, last] as const;
    this.headers.add(from, nameEnd, value);
    this.note(from, nameEnd - from, value);
    return stop + 2;
  }

  /**
   * The headers that the connection itself needs; names are distinguished by their length first.
   */
  private note(name: number, nameLength: number, value: Span): void {
    const { bytes } = this;
    if (nameLength === 10) {
      if (isNamed(bytes, name, 'connection')) this.noteConnection(this.text(value));
      else if (isNamed(bytes, name, 'keep-alive')) this.noteKeeping(this.text(value));
    } else if (nameLength === 14) {
      if (isNamed(bytes, name, 'content-length')) this.noteLength(this.text(value));
    } else if (nameLength === 17) {
      if (isNamed(bytes, name, 'transfer-encoding')) this.noteCoding(this.text(value));
    }
  }

  private text([start, end]: Span): string {
    return this.bytes.toString('latin1', start, end);
  }

  private noteConnection(value: string): void {
    if (/\bclose\b/i.test(value)) this.persists = false;
  }

  private noteKeeping(value: string): void {
    const seconds = keepTime.exec(value)?.[1];
    if (seconds !== undefined) this.keepsSeconds = Number(seconds);
  }

  private noteCoding(value: string): void {
    if (this.isChunked || value.toLowerCase() !== 'chunked') {
      throw new BrokenAnswer('the response has a transfer coding that was not requested');
    }
    this.isChunked = true;
  }

  private noteLength(value: string): void {
    if (this.length >= 0) throw new BrokenAnswer('the response has two content lengths');
    if (!wholeNumber.test(value)) throw new BrokenAnswer('the length of the answer is no number');
    this.length = Number(value);
  }

  private frame(): void {
    const { status, isChunked, length } = this;
    if (isChunked && length >= 0) throw new BrokenAnswer('the answer marks off its body twice');
    if (status < 200 || status === 204 || status === 304) this.framing = 'none';
    else if (isChunked) this.framing = 'chunked';
    else this.framing = length >= 0 ? 'length' : 'until-close';
    if (this.framing === 'until-close') this.persists = false;
  }
}

/**
 * The head of an answer to anything but HEAD and CONNECT, strictly by RFC 9112: out of `bytes` from
 * `from` up to `to`.
 * @returns null: more bytes are needed
 * @throws BrokenAnswer
 */
export const readResponseHead = (bytes: Buffer, from: number, to: number): ResponseHead | null => {
  const head = new HeadReader(bytes, to);
  const isWhole = head.read(from);
  const size = (isWhole ? head.bodyStart : to) - from;
  if (size > maxHeadBytes) throw new BrokenAnswer('the head of the answer is too long');
  return isWhole ? head : null;
};
