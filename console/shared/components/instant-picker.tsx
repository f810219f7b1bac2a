import { Button, Classes, PopoverNext, PopupKind } from '@blueprintjs/core';
import { Calendar } from '@blueprintjs/icons';
import { lazy, Suspense, useState } from 'react';
import { formatSeconds } from '../format/time.ts';

const InstantCalendar = lazy(async () => ({
  default: (await import('./instant-calendar.tsx')).InstantCalendar,
}));

type Props = Readonly<{
  label: string;
  /** Unix seconds; null for none. */
  value: number | null;
  onChange: (value: number | null) => void;
}>;

/** One instant, from a calendar in the language of the page. */
export const InstantPicker = ({ label, value, onChange }: Props) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setOpen}
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
      content={
        <div role="dialog" aria-label={label}>
          <Suspense fallback={<div className={`${Classes.SKELETON} instant-calendar-space`} />}>
            <InstantCalendar
              value={value}
              onChange={(next) => {
                setOpen(false);
                onChange(next);
              }}
            />
          </Suspense>
        </div>
      }
    >
      <Button
        icon={<Calendar />}
        text={value === null ? label : formatSeconds(value)}
        title={label}
      />
    </PopoverNext>
  );
};
