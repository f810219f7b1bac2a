import { Button, Slider } from '@blueprintjs/core';
import { Time } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstantPicker } from '../../../shared/components/instant-picker.tsx';
import { formatSeconds, nowSeconds } from '../../../shared/format/time.ts';

type Props = Readonly<{
  /** Unix seconds of the first movement; null before there is one, or while it is read. */
  oldest: number | null;
  /** Unix seconds; null is now. */
  asOf: number | null;
  onChange: (asOf: number | null) => void;
}>;

const stops = 500;

/** The account at any instant since its first movement. */
export const TimeTravel = ({ oldest: first, asOf, onChange }: Props) => {
  const { t } = useTranslation('ledger');
  const [newest] = useState(nowSeconds);
  const [dragged, setDragged] = useState<number | null>(null);
  const oldest = first ?? newest;
  const shown = Math.min(dragged ?? asOf ?? newest, newest);
  const step = Math.max(1, Math.floor((newest - oldest) / stops));
  /** The end of the track is now, and moves with it. */
  const settle = (at: number) => {
    setDragged(null);
    onChange(at > newest - step ? null : at);
  };
  return (
    <div className={`time-travel ${asOf === null ? '' : 'is-past'}`}>
      <Time />
      <strong aria-live="polite">
        {shown === newest ? t('as-of-now') : t('as-of', { time: formatSeconds(shown) })}
      </strong>
      <div className="time-travel-track">
        <Slider
          min={oldest}
          max={Math.max(newest, oldest + 1)}
          stepSize={step}
          value={Math.max(shown, oldest)}
          disabled={first === null}
          labelRenderer={false}
          handleHtmlProps={{ 'aria-label': t('as-of-slider') }}
          onChange={setDragged}
          onRelease={settle}
        />
      </div>
      <InstantPicker label={t('as-of-field')} value={asOf} onChange={onChange} />
      <Button
        variant="minimal"
        text={t('back-to-now')}
        disabled={asOf === null}
        onClick={() => onChange(null)}
      />
    </div>
  );
};
