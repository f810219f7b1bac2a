import { Button } from '@blueprintjs/core';
import { type DateRange, DateRangePicker } from '@blueprintjs/datetime';
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../format/time.ts';
import type { TimeRange } from '../format/time-range.ts';
import { useIsNarrow } from '../hooks/use-is-narrow.ts';
import { calendarLocale, oldestDay } from './calendar-locales.ts';

type Props = Readonly<{ range: TimeRange; onChange: (range: TimeRange) => void }>;

const dayMs = 86_400_000;

const dateOf = (seconds: string): Date | null =>
  seconds === '' ? null : new Date(Number(seconds) * 1000);
const secondsOf = (date: Date | null | undefined): string =>
  date ? String(Math.floor(date.getTime() / 1000)) : '';

const minuteText = (date: Date | null): string =>
  date === null ? '…' : formatSeconds(Math.floor(date.getTime() / 1000)).slice(0, -3);

/** A last day counts to its end until another time of day is chosen. */
const wholeDay = (day: Date | null, before: Date | null): Date | null => {
  if (day === null || before !== null || day.getHours() + day.getMinutes() > 0) return day;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 23, 59, 59);
};

/** Two days and their times of day. A separate file: it is loaded with the first click on it. */
export const RangeCalendar = ({ range, onChange }: Props) => {
  const { t, i18n } = useTranslation('common');
  const isNarrow = useIsNarrow();
  const [[start, end], setDays] = useState<DateRange>([
    dateOf(range.start_timestamp),
    dateOf(range.end_timestamp),
  ]);
  const picker = useRef<DateRangePicker>(null);
  // By itself it keeps the times of day that it began with.
  useEffect(() => picker.current?.setState({ time: [start, end] }), [start, end]);
  const [newest] = useState(() => new Date(Date.now() + dayMs));
  return (
    <div className="range-calendar">
      <DateRangePicker
        ref={picker}
        locale={calendarLocale(i18n.language)}
        allowSingleDayRange
        singleMonthOnly={isNarrow}
        shortcuts={false}
        highlightCurrentDay
        timePrecision="minute"
        minDate={oldestDay}
        maxDate={newest}
        value={[start, end]}
        onChange={([from, to]) => setDays([from, wholeDay(to, end)])}
      />
      <div className="range-calendar-end">
        <span className="subtle" aria-live="polite">
          {(start !== null || end !== null) && `${minuteText(start)} – ${minuteText(end)}`}
        </span>
        <Button
          intent="primary"
          text={t('apply')}
          disabled={start === null && end === null}
          onClick={() =>
            onChange({ start_timestamp: secondsOf(start), end_timestamp: secondsOf(end) })
          }
        />
      </div>
    </div>
  );
};
