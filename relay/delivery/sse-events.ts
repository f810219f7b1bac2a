import { firstEventEnd } from '../settlement/event-terminator.ts';

/** The first event, with the blank line that ends it; all of the bytes where none does. */
export const firstEvent = (bytes: Buffer): Buffer => {
  const end = firstEventEnd(bytes);
  return end === -1 ? bytes : bytes.subarray(0, end);
};

const lineEnd = /\r\n?|\n/;
const isData = (line: string): boolean => line.startsWith('data:');

const linesOf = (event: Buffer): readonly string[] => event.toString('utf8').split(lineEnd);

/** null: the event has no data. */
export const dataOf = (event: Buffer): string | null => {
  const text = event.toString('utf8').trimEnd();
  // Nearly every event is one line.
  if (isData(text) && !lineEnd.test(text)) return text.slice('data:'.length);
  const lines = linesOf(event).filter(isData);
  return lines.length === 0 ? null : lines.map((line) => line.slice('data:'.length)).join('\n');
};

/** The same event with other data. */
export const withData = (event: Buffer, data: string): Buffer => {
  const fields = linesOf(event).filter((line) => line !== '' && !isData(line));
  return Buffer.from([...fields, `data: ${data}`, '', ''].join('\n'));
};
