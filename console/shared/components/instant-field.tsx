import { Button, Classes, InputGroup, PopoverNext, PopupKind } from '@blueprintjs/core';
import { Calendar } from '@blueprintjs/icons';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSeconds, fromLocalInput } from '../format/time.ts';

const InstantCalendar = lazy(async () => ({
  default: (await import('./instant-calendar.tsx')).InstantCalendar,
}));

type Props = Readonly<{
  id: string;
  /** Names the calendar. */
  label: string;
  /** Unix seconds; null for none, NaN while what is typed is no time. */
  value: number | null;
  /** Which side of now the calendar offers. */
  side: 'past' | 'future';
  onChange: (value: number | null) => void;
}>;

const textOf = (value: number | null): string =>
  value === null || Number.isNaN(value) ? '' : formatSeconds(value);

/** An instant that is typed, or chosen from a calendar in the language of the page. */
export const InstantField = ({ id, label, value, side, onChange }: Props) => {
  const { t } = useTranslation('common');
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const isWrong = value !== null && Number.isNaN(value);
  const calendar = (
    <div role="dialog" aria-label={label}>
      <Suspense fallback={<div className={`${Classes.SKELETON} instant-calendar-space`} />}>
        <InstantCalendar
          value={isWrong ? null : value}
          side={side}
          onChange={(next) => {
            setOpen(false);
            setTyped(null);
            onChange(next);
          }}
        />
      </Suspense>
    </div>
  );
  return (
    <InputGroup
      id={id}
      className="instant-field"
      autoComplete="off"
      placeholder={t('instant-form')}
      value={typed ?? textOf(value)}
      onValueChange={(text) => {
        setTyped(text);
        onChange(text.trim() === '' ? null : (fromLocalInput(text) ?? Number.NaN));
      }}
      onBlur={() => {
        if (!isWrong) setTyped(null);
      }}
      rightElement={
        <PopoverNext
          isOpen={isOpen}
          onInteraction={setOpen}
          placement="bottom-end"
          arrow={false}
          animation="minimal"
          popupKind={PopupKind.DIALOG}
          content={calendar}
        >
          <Button
            variant="minimal"
            icon={<Calendar />}
            aria-label={t('choose-instant', { label })}
            title={t('choose-instant', { label })}
          />
        </PopoverNext>
      }
    />
  );
};
