import { firstEventEnd } from '../settlement/event-terminator.ts';

/** Whole events, each with the blank line that ends it; the last one may lack it. */
export const splitEvents = (bytes: Buffer): readonly Buffer[] => {
  const events: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const size = firstEventEnd(bytes.subarray(start));
    const end = size === -1 ? bytes.length : start + size;
    events.push(bytes.subarray(start, end));
    start = end;
  }
  return events;
};

const lineEnd = /\r\n?|\n/;
const isData = (line: string): boolean => line.startsWith('data:');

const linesOf = (event: Buffer): readonly string[] => event.toString('utf8').split(lineEnd);

/** null: the event has no data. */
export const dataOf = (event: Buffer): string | null => {
  const lines = linesOf(event).filter(isData);
  return lines.length === 0 ? null : lines.map((line) => line.slice('data:'.length)).join('\n');
};

/** The same event with other data. */
export const withData = (event: Buffer, data: string): Buffer => {
  const fields = linesOf(event).filter((line) => line !== '' && !isData(line));
  return Buffer.from([...fields, `data: ${data}`, '', ''].join('\n'));
};
