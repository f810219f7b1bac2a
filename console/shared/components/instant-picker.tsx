import { Button } from '@blueprintjs/core';
import { Calendar } from '@blueprintjs/icons';
import { formatSeconds } from '../format/time.ts';
import { CalendarPopover } from './calendar-popover.tsx';

type Props = Readonly<{
  label: string;
  /** Unix seconds; null for none. */
  value: number | null;
  onChange: (value: number | null) => void;
}>;

/** One instant, from a calendar in the language of the page. */
export const InstantPicker = ({ label, value, onChange }: Props) => (
  <CalendarPopover label={label} value={value} onChoose={onChange}>
    <Button
      icon={<Calendar />}
      text={value === null ? label : formatSeconds(value)}
      title={label}
    />
  </CalendarPopover>
);
