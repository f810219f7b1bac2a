import { Classes, PopoverNext, PopupKind } from '@blueprintjs/core';
import { lazy, type ReactElement, Suspense, useState } from 'react';

const InstantCalendar = lazy(async () => ({
  default: (await import('./instant-calendar.tsx')).InstantCalendar,
}));

type Props = Readonly<{
  /** Names the calendar. */
  label: string;
  /** Unix seconds; null for none. */
  value: number | null;
  /** Which side of now the calendar offers; the past by default. */
  side?: 'past' | 'future';
  onChoose: (value: number | null) => void;
  /** The button that opens it. */
  children: ReactElement;
}>;

/** A calendar in the language of the page, which closes once an instant is chosen. */
export const CalendarPopover = ({ label, value, side, onChoose, children }: Props) => {
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
              {...(side === undefined ? {} : { side })}
              onChange={(next) => {
                setOpen(false);
                onChoose(next);
              }}
            />
          </Suspense>
        </div>
      }
    >
      {children}
    </PopoverNext>
  );
};
