import { refused } from './refused.ts';

export type Line = Readonly<{ number: number; bytes: Buffer }>;

const newLine = 10;

/**
 * Lines without the blank ones, numbered by their place; no more than one of them is kept.
 * @throws a refusal at a longer line
 */
export async function* linesOf(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let size = 0;
  let number = 1;
  const add = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > maxBytes) {
      throw refused('line_too_long', `Line ${number} is longer than ${maxBytes} bytes`);
    }
    held.push(bytes);
  };
  const take = (): Line => {
    const line = { number, bytes: Buffer.concat(held, size) };
    held = [];
    size = 0;
    number += 1;
    return line;
  };
  const isBlank = ({ bytes }: Line): boolean => bytes.every((byte) => byte === 32 || byte === 13);
  for await (const chunk of source) {
    let from = 0;
    for (let at = chunk.indexOf(newLine); at !== -1; at = chunk.indexOf(newLine, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      const line = take();
      if (!isBlank(line)) yield line;
    }
    add(chunk.subarray(from));
  }
  const last = take();
  if (!isBlank(last)) yield last;
}
