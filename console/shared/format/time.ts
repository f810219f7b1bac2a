const two = (value: number) => String(value).padStart(2, '0');

const dateParts = (at: Date) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

const clockParts = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** `YYYY-MM-DD HH:mm:ss` in the zone of the browser. */
export const formatDate = (at: Date): string =>
  Number.isNaN(at.getTime()) ? '' : `${dateParts(at)} ${clockParts(at)}:${two(at.getSeconds())}`;

export const formatSeconds = (unixSeconds: number): string =>
  formatDate(new Date(unixSeconds * 1000));

/** Day and time of this year, only the day of another one. */
export const shortDate = (unixSeconds: number, now: number): string => {
  const text = formatSeconds(unixSeconds);
  return text.startsWith(formatSeconds(now).slice(0, 4)) ? text.slice(5, 16) : text.slice(0, 10);
};

const localTime = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?$/;

/**
 * A time in the zone of the browser, as `formatSeconds` writes it; a day begins at midnight. Null
 * when the text is none.
 */
export const fromLocalInput = (text: string): number | null => {
  const [, day, clock = '00:00'] = localTime.exec(text.trim()) ?? [];
  const at = new Date(`${day}T${clock}`).getTime();
  return Number.isNaN(at) ? null : Math.ceil(at / 1000);
};

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

export const dateStamp = (): string => dateParts(new Date());
