import { createLineReader } from '../shared/lines.ts';
import type { MessageReader } from '../shared/run-stream.ts';

/** One event of the older interface. `json` is a line of plain JSON, which only errors are. */
export type Frame = Readonly<{
  event: string;
  id: string;
  data: string;
  meta: string;
  json: string;
}>;

type Fields = Record<string, string>;

/** Everything after the colon is text: a blank there is the model's. */
const addLine = (fields: Fields, line: string): void => {
  const colon = line.indexOf(':');
  const name = line.startsWith('{') ? 'json' : line.slice(0, Math.max(0, colon));
  const value = name === 'json' ? line : line.slice(colon + 1);
  const known = fields[name];
  fields[name] = known === undefined ? value : `${known}\n${value}`;
};

const frameOf = ({ event = '', id = '', data = '', meta = '', json = '' }: Fields): Frame => ({
  event: event.trim(),
  id: id.trim(),
  data,
  meta,
  json,
});

/** Events out of bytes that may be cut anywhere; two `data` lines are one text with a line break. */
export const createFrameReader = (): MessageReader<Frame> => {
  const lines = createLineReader();
  let fields: Fields | null = null;

  const read = (texts: readonly string[]): Frame[] => {
    const frames: Frame[] = [];
    for (const text of texts) {
      if (text !== '') {
        fields ??= {};
        addLine(fields, text);
      } else if (fields !== null) {
        frames.push(frameOf(fields));
        fields = null;
      }
    }
    return frames;
  };

  return {
    push: (bytes) => {
      const texts = lines.push(bytes);
      return texts === null ? null : read(texts);
    },
    end: () => read([...lines.end(), '']),
  };
};
