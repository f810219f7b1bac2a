import type { TFunction } from 'i18next';
import { Link } from 'react-router-dom';
import type { TopUpOrderRow } from '../../../../projections/contract/topup.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { ledgerOf } from '../../../shared/paths.ts';

type Translate = TFunction<'reconciliation'>;
const colours = { pending: 'blue', success: 'green', expired: 'grey' } as const;

const timeText = (seconds: number): string => (seconds === 0 ? '–' : formatSeconds(seconds));

export const Person = ({ row }: Readonly<{ row: { user_id: number; username: string } }>) => (
  <Link to={ledgerOf(row.user_id)}>{row.username === '' ? `#${row.user_id}` : row.username}</Link>
);

export const providerText = (provider: string, t: Translate): string =>
  provider === 'lantu' || provider === 'epay' ? t(`provider.${provider}`) : provider;

/** Columns of orders, for the list and for the findings. */
export const orderColumns = (
  t: Translate,
  display: QuotaDisplay,
): readonly Column<TopUpOrderRow>[] => [
  {
    key: 'created',
    title: t('column.created'),
    render: (row) => <span className="nowrap">{timeText(row.create_time)}</span>,
  },
  {
    key: 'number',
    title: t('column.number'),
    isWide: true,
    render: (row) => (
      <>
        <code>{row.trade_no}</code>
        {row.provider_reference !== '' && (
          <small className="subtle block">{row.provider_reference}</small>
        )}
      </>
    ),
  },
  { key: 'user', title: t('column.user'), render: (row) => <Person row={row} /> },
  {
    key: 'provider',
    title: t('column.provider'),
    render: ({ provider }) => providerText(provider, t),
  },
  {
    key: 'money',
    title: t('column.money'),
    isNumber: true,
    render: (row) => `${row.money} ${row.currency}`,
  },
  {
    key: 'quota',
    title: t('column.quota'),
    isNumber: true,
    render: (row) => formatQuota(row.quota + row.bonus_quota, display),
  },
  {
    key: 'credited',
    title: t('column.credited'),
    isNumber: true,
    render: (row) => (row.credited_quota === 0 ? '–' : formatQuota(row.credited_quota, display)),
  },
  {
    key: 'status',
    title: t('column.status'),
    render: ({ status, late }) => (
      <>
        <ToneTag colour={colours[status]}>{t(`status.${status}`)}</ToneTag>
        {late && (
          <ToneTag colour="amber" title={t('late-hint')}>
            {t('late')}
          </ToneTag>
        )}
      </>
    ),
  },
  {
    key: 'paid',
    title: t('column.paid'),
    render: (row) => <span className="nowrap">{timeText(row.paid_time)}</span>,
  },
];
