const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** "5 min ago" in the language of the page; null for what is a day old or older. */
export const relativeTime = (at: number, now: number, language: string): string | null => {
  const passed = now - at;
  if (passed >= day) return null;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (passed < minute) return format.format(-Math.max(0, passed), 'second');
  if (passed < hour) return format.format(-Math.floor(passed / minute), 'minute');
  return format.format(-Math.floor(passed / hour), 'hour');
};
