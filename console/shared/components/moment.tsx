import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { relativeTime } from '../format/relative-time.ts';
import { formatSeconds, nowSeconds, shortDate } from '../format/time.ts';

const stepMs = 30_000;

/** How long ago, under a day; then the date. The exact time on hover. */
export const Moment = ({ at }: Readonly<{ at: number }>) => {
  const { i18n } = useTranslation();
  const [now, setNow] = useState(nowSeconds);
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), stepMs);
    return () => clearInterval(timer);
  }, []);
  const exact = formatSeconds(at);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exact} className="nowrap">
      {relativeTime(at, Math.max(now, at), i18n.language) ?? shortDate(at, now)}
    </time>
  );
};
