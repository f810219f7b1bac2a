import type { TFunction } from 'i18next';
import type { TagColour } from '../../../shared/format/colour.ts';
import { formatUnits } from '../../../shared/format/quota.ts';
import type { JobRow, RunRow } from '../api/jobs.ts';

export type Translate = TFunction<'job'>;

const described = [
  'channel-test',
  'channel-balance',
  'version-check',
  'topup-expiry',
  'task-polling',
] as const;
const figureNames = [
  'tested',
  'failed',
  'read',
  'newer',
  'expired',
  'paid',
  'kept',
  'asked',
  'changed',
  'givenUp',
] as const;

export const outcomeColours: Readonly<Record<RunRow['outcome'], TagColour>> = {
  done: 'green',
  failed: 'red',
  lost: 'orange',
  stopped: 'grey',
};

/** A job of a newer server is shown by its own name alone. */
export const titleOf = (name: string, t: Translate): string => {
  const known = described.find((candidate) => candidate === name);
  return known ? t(`title-of.${known}`) : name;
};

const minuteSeconds = 60;
const hourSeconds = 3_600;

export const scheduleOf = ({ every_seconds: seconds }: JobRow, t: Translate): string => {
  if (seconds === null) return t('by-hand');
  if (seconds % hourSeconds === 0) return t('every.hours', { n: seconds / hourSeconds });
  if (seconds % minuteSeconds === 0) return t('every.minutes', { n: seconds / minuteSeconds });
  return t('every.seconds', { n: seconds });
};

/**
 * Result of a run, as text; figures that this console has no label for are under their own name.
 */
export const figuresText = ({ figures }: RunRow, t: Translate): string => {
  const parts = Object.entries(figures).map(([name, value]) => {
    const known = figureNames.find((candidate) => candidate === name);
    return `${known ? t(`figure.${known}`) : name} ${formatUnits(value)}`;
  });
  return parts.length === 0 ? t('nothing-to-do') : parts.join(' · ');
};

export const durationText = ({ duration_ms: ms }: RunRow, t: Translate): string =>
  t('seconds', { seconds: (ms / 1_000).toFixed(1) });
