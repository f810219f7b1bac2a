import { Button } from '@blueprintjs/core';
import { DatePicker } from '@blueprintjs/datetime';
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { calendarLocale, oldestDay } from './calendar-locales.ts';

type Props = Readonly<{ value: number | null; onChange: (value: number | null) => void }>;

/** A day and its time of day. A file of its own: it comes with the first click on it. */
export const InstantCalendar = ({ value, onChange }: Props) => {
  const { t, i18n } = useTranslation('common');
  const [chosen, setChosen] = useState(() => (value === null ? null : new Date(value * 1000)));
  const [newest] = useState(() => new Date());
  return (
    <div className="range-calendar is-single">
      <DatePicker
        locale={calendarLocale(i18n.language)}
        timePrecision="second"
        minDate={oldestDay}
        maxDate={newest}
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
