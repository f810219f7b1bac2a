const lowerBit = 0x20;

/** Whether these bytes are that name, in any case; `lower` is as long as they are. */
export const isNamed = (bytes: Buffer, start: number, lower: string): boolean => {
  for (let index = 0; index < lower.length; index += 1) {
    const byte = bytes[start + index] ?? 0;
    const wanted = lower.charCodeAt(index);
    if (byte !== wanted && (byte | lowerBit) !== wanted) return false;
  }
  return true;
};

/**
 * The headers of an answer, made into text when they are read: most never are. Valid while `onHead`
 * runs and no longer, since the bytes below are overwritten.
 */
export class AnswerHeaders {
  private readonly bytes: Buffer;
  /** Start and end of a name, start and end of its value, and so on. */
  private readonly marks: number[] = [];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Names and values in turn. */
  static of(raw: readonly Buffer[]): AnswerHeaders {
    const headers = new AnswerHeaders(Buffer.concat(raw));
    let at = 0;
    for (const { length } of raw) {
      headers.marks.push(at, at + length);
      at += length;
    }
    return headers;
  }

  add(nameStart: number, nameEnd: number, [start, end]: readonly [number, number]): void {
    this.marks.push(nameStart, nameEnd, start, end);
  }

  /** `name` in lower case. Null: the answer has none. */
  get(name: string): string | null {
    const { bytes, marks } = this;
    for (let at = 0; at + 3 < marks.length; at += 4) {
      const start = marks[at] ?? 0;
      if ((marks[at + 1] ?? 0) - start !== name.length || !isNamed(bytes, start, name)) continue;
      return bytes.toString('latin1', marks[at + 2], marks[at + 3]);
    }
    return null;
  }

  /** By names in lower case; of several with one name the last. */
  all(): Record<string, string> {
    const { bytes, marks } = this;
    const record: Record<string, string> = {};
    for (let at = 0; at + 3 < marks.length; at += 4) {
      const name = bytes.toString('latin1', marks[at], marks[at + 1]).toLowerCase();
      record[name] = bytes.toString('latin1', marks[at + 2], marks[at + 3]);
    }
    return record;
  }
}

/** `retry-after` in seconds; null: it is not there, or a date. */
export const retrySeconds = (text: string | null): number | null => {
  const seconds = text === null || text === '' ? -1 : Number(text);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : null;
};
