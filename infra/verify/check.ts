import type { Recorded } from '../../domain/shared/event.ts';
import type { CheckName, ConcernedEvent } from './concerns.ts';

/** One invariant, or several that share what they remember: gets the events that concern it, in order. */
export interface Check<N extends CheckName> {
  see(recorded: Recorded<ConcernedEvent<N>>): void;
}

/** The last result: several checks need the same of one event, and events of one stream often follow each other. */
const category = { streamId: '', name: '' };

/** The part of a stream's name before its first dash. */
export const categoryOf = (streamId: string): string => {
  if (streamId === category.streamId) return category.name;
  const dash = streamId.indexOf('-');
  category.streamId = streamId;
  category.name = dash < 0 ? streamId : streamId.slice(0, dash);
  return category.name;
};

const time = { text: '', ms: Number.NaN };

/** Milliseconds; NaN when the event has none. */
export const timeOf = ({ metadata }: Recorded): number => {
  const text = metadata?.occurredAt ?? '';
  if (text !== time.text) {
    time.text = text;
    time.ms = Date.parse(text);
  }
  return time.ms;
};
