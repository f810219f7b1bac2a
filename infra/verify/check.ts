import type { Recorded } from '../../domain/shared/event.ts';
import type { CheckName, ConcernedEvent } from './concerns.ts';

/** One invariant, or several that share what they remember: gets the events that concern it, in order. */
export interface Check<N extends CheckName> {
  see(recorded: Recorded<ConcernedEvent<N>>): void;
}

/** The part of a stream's name before its first dash. */
export const categoryOf = (streamId: string): string => {
  const dash = streamId.indexOf('-');
  return dash < 0 ? streamId : streamId.slice(0, dash);
};

/** Milliseconds; NaN when the event does not say. */
export const timeOf = ({ metadata }: Recorded): number => Date.parse(metadata?.occurredAt ?? '');
