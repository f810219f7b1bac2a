import { Button, InputGroup } from '@blueprintjs/core';
import { Calendar } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSeconds, fromLocalInput } from '../format/time.ts';
import { CalendarPopover } from './calendar-popover.tsx';

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
  const isWrong = value !== null && Number.isNaN(value);
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
        <CalendarPopover
          label={label}
          value={isWrong ? null : value}
          side={side}
          onChoose={(next) => {
            setTyped(null);
            onChange(next);
          }}
        >
          <Button
            variant="minimal"
            icon={<Calendar />}
            aria-label={t('choose-instant', { label })}
            title={t('choose-instant', { label })}
          />
        </CalendarPopover>
      }
    />
  );
};
