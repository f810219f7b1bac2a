import type { Recorded } from '../../domain/shared/event.ts';

/** Events are in the order of time: the day of one is mostly the day of the next. */
const today = { day: '', midnight: 0 };
const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const pair = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

/** Unix seconds of the moment at which the event happened: `2026-03-01T08:15:00.000Z`, UTC. */
export const secondsOf = ({ metadata }: Pick<Recorded, 'metadata'>): number => {
  const text = metadata.occurredAt;
  if (text.length !== 24 || text[23] !== 'Z') return Math.floor(Date.parse(text) / 1000);
  const day = text.slice(0, 10);
  if (day !== today.day) {
    today.midnight = Date.parse(day) / 1000;
    today.day = day;
  }
  return today.midnight + pair(text, 11) * 3600 + pair(text, 14) * 60 + pair(text, 17);
};

/** Start of the minute, Unix seconds. */
export const minuteOf = (seconds: number): number => Math.floor(seconds / 60) * 60;
/** Start of the hour on the UTC grid, Unix seconds. */
export const hourOf = (seconds: number): number => Math.floor(seconds / 3600) * 3600;
/** Start of the day on the UTC grid, Unix seconds. */
export const dayOf = (seconds: number): number => Math.floor(seconds / 86_400) * 86_400;
