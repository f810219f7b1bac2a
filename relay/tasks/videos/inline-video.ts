import { Readable } from 'node:stream';
import type { Download } from '../../upstream/download.ts';

/*
 * Videos inside a JSON answer as Base64. They are longer than what is parsed as a whole: a poll
 * reads the beginning of such an answer, a download decodes it while it arrives.
 */

/** What precedes a video in its answer is shorter. */
export const headBytes = 65_536;

const closers: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
]);
/** A string, closed or not, or a bracket. */
const marks = /"(?:[^"\\]|\\.)*("?)|[{}[\]]/gs;

/** The beginning of a JSON text that ends inside of a string, made a whole one. */
export const closedJson = (text: string): string => {
  const open: string[] = [];
  let quote = '';
  for (const [mark, end = ''] of text.matchAll(marks)) {
    const closer = closers.get(mark);
    if (closer !== undefined) open.push(closer);
    else if (!mark.startsWith('"')) open.pop();
    else if (end === '') quote = '"';
  }
  return `${text}${quote}${open.reverse().join('')}`;
};

/** What follows the quote that begins the video; nothing where there is none. */
async function* behind(body: AsyncIterable<Buffer>, member: string): AsyncGenerator<string> {
  const beginning = new RegExp(`"${member}"\\s*:\\s*"`);
  let head: string | null = '';
  for await (const chunk of body) {
    const text = chunk.toString('latin1');
    if (head === null) {
      yield text;
      continue;
    }
    head += text;
    const found = beginning.exec(head);
    if (found !== null) {
      yield head.slice(found.index + found[0].length);
      head = null;
    } else if (head.length > headBytes) return;
  }
}

/** @throws when the answer ends inside of the video */
async function* decoded(body: AsyncIterable<Buffer>, member: string): AsyncGenerator<Buffer> {
  let rest = '';
  for await (const text of behind(body, member)) {
    // Some encoders escape the slash.
    const digits = (rest + text).replaceAll('\\/', '/');
    const end = digits.search(/[^A-Za-z0-9+/]/);
    const isEnd = end !== -1 && digits.slice(end) !== '\\';
    const length = end === -1 ? digits.length : end;
    const whole = digits.slice(0, isEnd ? length : length - (length % 4));
    if (whole !== '') yield Buffer.from(whole, 'base64');
    if (isEnd) return;
    rest = digits.slice(whole.length);
  }
  throw new Error('the answer ended inside of the video');
}

/** The video that an answer contains, as it arrives; null: the answer contains none. */
export const inlineVideo = async ({ body }: Download, member: string): Promise<Download | null> => {
  const pieces = decoded(body, member);
  const first = await pieces.next().catch(() => null);
  if (first === null || first.done === true) return null;
  const { value } = first;
  const all = async function* (): AsyncGenerator<Buffer> {
    yield value;
    yield* pieces;
  };
  const headers = { 'content-type': 'video/mp4' };
  return { status: 200, headers, body: Readable.from(all(), { objectMode: false }) };
};
