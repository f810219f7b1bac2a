import type { Recorded } from '../../domain/shared/event.ts';

/** Unix seconds of the moment at which the event happened. */
export const secondsOf = ({ metadata }: Pick<Recorded, 'metadata'>): number =>
  Math.floor(Date.parse(metadata.occurredAt) / 1000);

/** Start of the hour on the UTC grid, Unix seconds. */
export const hourOf = (seconds: number): number => Math.floor(seconds / 3600) * 3600;
/** Start of the day on the UTC grid, Unix seconds. */
export const dayOf = (seconds: number): number => Math.floor(seconds / 86_400) * 86_400;
