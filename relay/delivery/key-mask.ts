import type { KeyForms } from './key-forms.ts';

const mark = Buffer.from('[key]');
const empty = Buffer.alloc(0);

const withoutPattern = (bytes: Buffer, pattern: Buffer, first: number): Buffer => {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = first; at !== -1; at = bytes.indexOf(pattern, from)) {
    pieces.push(bytes.subarray(from, at), mark);
    from = at + pattern.length;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
};

/** The same bytes where they hold no key. */
export const masked = (bytes: Buffer, forms: KeyForms): Buffer => {
  if (!forms.search(bytes)) return bytes;
  let shown = bytes;
  for (const pattern of forms.patterns) {
    const at = shown.indexOf(pattern);
    if (at !== -1) shown = withoutPattern(shown, pattern, at);
  }
  return shown;
};

export const maskedText = (text: string, forms: KeyForms): string => {
  const bytes = Buffer.from(text);
  const shown = masked(bytes, forms);
  return shown === bytes ? text : shown.toString('utf8');
};

/** How many of the last bytes begin a pattern that may continue in the next piece. */
const begunBy = (bytes: Buffer, pattern: Buffer): number => {
  const { length } = bytes;
  for (let size = Math.min(length, pattern.length - 1); size > 0; size -= 1) {
    const at = length - size;
    if (bytes[at] !== pattern[0]) continue;
    if (bytes.compare(pattern, 0, size, at, length) === 0) return size;
  }
  return 0;
};

const begun = (bytes: Buffer, { patterns, bytes: inKeys }: KeyForms): number => {
  // Events and JSON end with a byte that few keys contain.
  if (inKeys[bytes[bytes.length - 1] ?? 0] !== 1) return 0;
  return Math.max(0, ...patterns.map((pattern) => begunBy(bytes, pattern)));
};

/** Removes keys from bytes that arrive in pieces, also one that is cut by the end of a piece. */
export class KeyMask {
  private readonly all: readonly KeyForms[];
  private kept: Buffer = empty;

  constructor(all: readonly KeyForms[]) {
    this.all = all;
  }

  next(bytes: Buffer): Buffer {
    const shown = this.last(bytes);
    let size = 0;
    for (const forms of this.all) size = Math.max(size, begun(shown, forms));
    if (size === 0) return shown;
    this.kept = shown.subarray(shown.length - size);
    return shown.subarray(0, shown.length - size);
  }

  /** No more follow. */
  last(bytes: Buffer): Buffer {
    let shown = this.kept.length === 0 ? bytes : Buffer.concat([this.kept, bytes]);
    this.kept = empty;
    for (const forms of this.all) shown = masked(shown, forms);
    return shown;
  }
}
