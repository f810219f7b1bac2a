import type { Recorded } from '../../domain/shared/event.ts';

/** One invariant, or several that share what they remember. Sees every event in order. */
export interface Check {
  see(recorded: Recorded): void;
}

/** The part of a stream's name before its first dash. */
export const categoryOf = (streamId: string): string => {
  const dash = streamId.indexOf('-');
  return dash < 0 ? streamId : streamId.slice(0, dash);
};

/** Milliseconds; NaN when the event does not say. */
export const timeOf = ({ metadata }: Recorded): number => Date.parse(metadata?.occurredAt ?? '');
