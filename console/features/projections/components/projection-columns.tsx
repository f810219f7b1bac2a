import { Button, ProgressBar } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import type { TagColour } from '../../../shared/format/colour.ts';
import { formatUnits } from '../../../shared/format/quota.ts';
import { toast } from '../../../shared/toast.ts';
import { type ProjectionRow, useRebuild } from '../api/projections.ts';

type Translate = TFunction<'projections'>;

const stateColours: Readonly<Record<ProjectionRow['state'], TagColour>> = {
  starting: 'grey',
  'catching-up': 'orange',
  live: 'green',
  failed: 'red',
  standby: 'light-blue',
  rebuilding: 'violet',
};

const described = [
  'channel-list',
  'ledger',
  'option-list',
  'redemption-list',
  'relay-feeds',
  'token-list',
  'usage-log',
  'user-list',
  'audit-trail',
  'dead-letters',
  'channel-costs',
  'refusals',
] as const;

/** A projection of a newer server is shown by its own name alone. */
const purposeOf = (name: string, t: Translate): string => {
  const known = described.find((candidate) => candidate === name);
  return known ? t(`purpose.${known}`) : '';
};

const percent = (share: number): string => `${Math.floor(share * 100)}%`;

const Rebuild = ({ row }: Readonly<{ row: ProjectionRow }>) => {
  const { t } = useTranslation('projections');
  const rebuild = useRebuild();
  if (row.rebuild_progress !== null) {
    return (
      <div className="rebuild-progress">
        <div
          role="progressbar"
          aria-label={t('progress-of', { name: row.name })}
          aria-valuenow={Math.floor(row.rebuild_progress * 100)}
        >
          <ProgressBar value={row.rebuild_progress} intent="primary" />
        </div>
        <span>{percent(row.rebuild_progress)}</span>
      </div>
    );
  }
  return (
    <ConfirmPopover
      title={t('rebuild-question', { name: row.name })}
      hint={t('rebuild-hint')}
      onConfirm={() =>
        rebuild.mutate(row.name, { onSuccess: () => toast('success', t('rebuild-started')) })
      }
    >
      <Button
        variant="minimal"
        size="small"
        text={t('rebuild')}
        loading={rebuild.isPending}
        disabled={row.state === 'standby' || row.state === 'rebuilding'}
      />
    </ConfirmPopover>
  );
};

const place = (position: string): string => (position === '' ? '–' : position);

export const projectionColumns = (t: Translate): readonly Column<ProjectionRow>[] => [
  {
    key: 'name',
    title: t('column.name'),
    render: (row) => (
      <span>
        <code>{row.name}</code>
        <small className="subtle block">{purposeOf(row.name, t)}</small>
        {row.error !== '' && <small className="block error-text">{row.error}</small>}
      </span>
    ),
  },
  {
    key: 'state',
    title: t('column.state'),
    render: ({ state }) => (
      <ToneTag colour={stateColours[state] ?? 'grey'}>{t(`state.${state}`)}</ToneTag>
    ),
  },
  {
    key: 'position',
    title: t('column.position'),
    isNumber: true,
    render: ({ position }) => place(position),
  },
  { key: 'head', title: t('column.head'), isNumber: true, render: ({ head }) => place(head) },
  {
    key: 'lag',
    title: t('column.lag'),
    isNumber: true,
    render: (row) => (
      <span className={row.lag_seconds > 0 ? 'warn' : ''}>
        {t('seconds', { seconds: row.lag_seconds.toFixed(1) })}
      </span>
    ),
  },
  {
    key: 'rate',
    title: t('column.rate'),
    isNumber: true,
    render: (row) => formatUnits(row.events_per_second),
  },
  {
    key: 'actions',
    title: t('column.actions'),
    isWide: true,
    render: (row) => <Rebuild row={row} />,
  },
];
