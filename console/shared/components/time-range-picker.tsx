import { Button, Classes, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { Calendar, CaretDown } from '@blueprintjs/icons';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSeconds } from '../format/time.ts';
import { type RangePreset, rangePresets, type TimeRange } from '../format/time-range.ts';
import { type ChosenRange, presetOf } from '../hooks/use-time-range.ts';
import { ActionMenu } from './action-menu.tsx';

const RangeCalendar = lazy(async () => ({
  default: (await import('./range-calendar.tsx')).RangeCalendar,
}));

type Props = Readonly<{
  chosen: ChosenRange;
  /** The preset of an address that names none. */
  fallback: RangePreset;
  /** Whether the list may be read from its beginning. */
  hasAll?: boolean;
  onChange: (chosen: ChosenRange) => void;
}>;

const shortTime = (seconds: string): string =>
  seconds === '' ? '…' : formatSeconds(Number(seconds)).slice(0, -3);

const textOfCustom = ({ start_timestamp, end_timestamp }: TimeRange): string =>
  `${shortTime(start_timestamp)} – ${shortTime(end_timestamp)}`;

/** Presets, and a calendar in the language of the page for all other ranges. */
export const TimeRangePicker = ({ chosen, fallback, hasAll = false, onChange }: Props) => {
  const { t } = useTranslation('common');
  const [isOpen, setOpen] = useState(false);
  const [isCustom, setCustom] = useState(false);
  const preset = presetOf(chosen, fallback);
  const text = preset === null ? textOfCustom(chosen) : t(`range.${preset}`);
  const open = (next: boolean) => {
    setOpen(next);
    if (next) setCustom(preset === null);
  };
  const choose = (next: ChosenRange) => {
    setOpen(false);
    onChange(next);
  };
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={open}
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
      content={
        <div className="range-popup" role="dialog" aria-label={t('range.title')}>
          <ActionMenu aria-label={t('range.title')} className="range-presets">
            {rangePresets
              .filter((name) => hasAll || name !== 'all')
              .map((name) => (
                <MenuItem
                  key={name}
                  text={t(`range.${name}`)}
                  active={!isCustom && preset === name}
                  shouldDismissPopover={false}
                  onClick={() => choose({ range: name, start_timestamp: '', end_timestamp: '' })}
                />
              ))}
            <MenuItem
              text={t('range.custom')}
              active={isCustom}
              shouldDismissPopover={false}
              onClick={() => setCustom(true)}
            />
          </ActionMenu>
          {isCustom && (
            <Suspense fallback={<div className={`${Classes.SKELETON} range-calendar-space`} />}>
              <RangeCalendar
                range={chosen}
                onChange={(range) => choose({ ...range, range: fallback })}
              />
            </Suspense>
          )}
        </div>
      }
    >
      <Button
        icon={<Calendar />}
        endIcon={<CaretDown />}
        text={text}
        aria-label={t('range.button', { range: text })}
        title={t('range.title')}
      />
    </PopoverNext>
  );
};
