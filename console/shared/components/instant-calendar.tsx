import { Button } from '@blueprintjs/core';
import { DatePicker } from '@blueprintjs/datetime';
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { calendarLocale, oldestDay } from './calendar-locales.ts';

type Props = Readonly<{
  value: number | null;
  /** Which side of now is offered; the past by default. */
  side?: 'past' | 'future';
  onChange: (value: number | null) => void;
}>;

const yearsAhead = 10;

/** The days on offer; what is chosen already is one of them. */
const boundsOf = (side: 'past' | 'future', chosen: Date | null) => {
  const now = new Date();
  if (side === 'past') return { minDate: oldestDay, maxDate: now };
  const isPast = chosen !== null && chosen < now;
  const last = new Date(now.getFullYear() + yearsAhead, now.getMonth(), now.getDate());
  return {
    minDate: isPast ? chosen : now,
    maxDate: chosen !== null && chosen > last ? chosen : last,
  };
};

/** A day and its time of day. A separate file: it is loaded with the first click on it. */
export const InstantCalendar = ({ value, side = 'past', onChange }: Props) => {
  const { t, i18n } = useTranslation('common');
  const [chosen, setChosen] = useState(() => (value === null ? null : new Date(value * 1000)));
  const [bounds] = useState(() => boundsOf(side, chosen));
  return (
    <div className="range-calendar is-single">
      <DatePicker
        locale={calendarLocale(i18n.language)}
        timePrecision="second"
        {...bounds}
        value={chosen}
        onChange={setChosen}
      />
      <div className="range-calendar-end">
        <Button
          intent="primary"
          text={t('apply')}
          disabled={chosen === null}
          onClick={() => chosen && onChange(Math.floor(chosen.getTime() / 1000))}
        />
      </div>
    </div>
  );
};
