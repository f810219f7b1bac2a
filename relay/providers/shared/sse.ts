import { createLineReader, maxLineBytes } from './lines.ts';

/** `event` is "" where the provider names none. */
export type SseEvent = Readonly<{ event: string; data: string }>;

export type SseReader = Readonly<{
  /** The events that are complete now; null when a line or an event is longer than allowed. */
  push: (bytes: Buffer) => readonly SseEvent[] | null;
  /** An event that no blank line ended. */
  end: () => readonly SseEvent[];
}>;

type Field = Readonly<{ name: string; value: string }>;

/** `data:x` and `data: x` are the same; more blanks belong to the text. */
const fieldOf = (line: string): Field => {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  const from = line[colon + 1] === ' ' ? colon + 2 : colon + 1;
  return { name: line.slice(0, colon), value: line.slice(from) };
};

const isBareJson = (line: string): boolean => line[0] === '{' || line[0] === '[';

/**
 * Server-sent events out of bytes that may be cut anywhere. Comments are left out. A line of plain
 * JSON is a separate event: some providers report errors so in the middle of a stream.
 */
export const createSseReader = (limitBytes = maxLineBytes): SseReader => {
  const lines = createLineReader(limitBytes);
  let event = '';
  let data: string[] = [];
  let dataChars = 0;

  const dispatch = (events: SseEvent[]): void => {
    if (data.length > 0) events.push({ event, data: data.join('\n') });
    event = '';
    data = [];
    dataChars = 0;
  };
  const take = (line: string, events: SseEvent[]): void => {
    if (line === '') {
      dispatch(events);
      return;
    }
    if (isBareJson(line)) {
      dispatch(events);
      events.push({ event: '', data: line });
      return;
    }
    const { name, value } = fieldOf(line);
    if (name === 'data') {
      data.push(value);
      dataChars += value.length;
    } else if (name === 'event') {
      // Some servers leave the blank line out.
      if (data.length > 0) dispatch(events);
      event = value;
    }
  };
  const read = (texts: readonly string[]): readonly SseEvent[] | null => {
    const events: SseEvent[] = [];
    for (const text of texts) {
      take(text, events);
      if (dataChars > limitBytes) return null;
    }
    return events;
  };

  return {
    push: (bytes) => {
      const texts = lines.push(bytes);
      return texts === null ? null : read(texts);
    },
    end: () => {
      const events = [...(read(lines.end()) ?? [])];
      dispatch(events);
      return events;
    },
  };
};
