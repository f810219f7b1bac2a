import type { TFunction } from 'i18next';
import { type LogRow, otherOf } from '../api/logs.ts';

type Speed = 'good' | 'slow' | 'bad';

const speedOfCall = (seconds: number): Speed => {
  if (seconds < 101) return 'good';
  return seconds < 300 ? 'slow' : 'bad';
};
const speedOfFirstToken = (seconds: number): Speed => {
  if (seconds < 3) return 'good';
  return seconds < 10 ? 'slow' : 'bad';
};

/** Tenths of a second count as long as there are few whole ones. */
const secondsText = (seconds: number): string => seconds.toFixed(seconds < 10 ? 1 : 0);

type Props = Readonly<{ row: LogRow; t: TFunction<'usage-log'> }>;

/** Time to the first token and for the whole call; only what is slow has a colour. */
export const Timing = ({ row, t }: Props) => {
  const total = row.duration_ms / 1000;
  const firstToken = (otherOf(row).frt ?? -1) / 1000;
  return (
    <span title={row.is_stream ? t('stream') : t('no-stream')}>
      {row.is_stream && firstToken >= 0 && (
        <>
          <span className={`speed-${speedOfFirstToken(firstToken)}`}>
            {t('seconds', { seconds: secondsText(firstToken) })}
          </span>
          <span className="muted"> / </span>
        </>
      )}
      <span className={`speed-${speedOfCall(row.use_time)}`}>
        {t('seconds', { seconds: secondsText(total) })}
      </span>
    </span>
  );
};
