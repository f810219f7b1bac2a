import type { TFunction } from 'i18next';
import { Link } from 'react-router-dom';
import type { TopUpOrderRow } from '../../../../projections/contract/topup.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { Money } from '../../../shared/components/money.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
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
export const orderColumns = (t: Translate): readonly Column<TopUpOrderRow>[] => [
  {
    key: 'created',
    title: t('column.created'),
    card: 'line',
    render: (row) => <span className="nowrap">{timeText(row.create_time)}</span>,
  },
  {
    key: 'number',
    title: t('column.number'),
    card: 'title',
    render: (row) => (
      <>
        <code>{row.trade_no}</code>
        {row.provider_reference !== '' && (
          <small className="subtle block">{row.provider_reference}</small>
        )}
      </>
    ),
  },
  {
    key: 'user',
    title: t('column.user'),
    card: 'line',
    render: (row) => <Person row={row} />,
  },
  {
    key: 'provider',
    title: t('column.provider'),
    render: ({ provider }) => providerText(provider, t),
  },
  {
    key: 'money',
    title: t('column.money'),
    isNumber: true,
    card: 'figure',
    render: (row) => `${row.money} ${row.currency}`,
  },
  {
    key: 'quota',
    title: t('column.quota'),
    isNumber: true,
    card: 'line',
    render: (row) => <Money units={row.quota + row.bonus_quota} isShort />,
  },
  {
    key: 'credited',
    title: t('column.credited'),
    isNumber: true,
    render: ({ credited_quota }) =>
      credited_quota === 0 ? '–' : <Money units={credited_quota} isShort />,
  },
  {
    key: 'status',
    title: t('column.status'),
    card: 'aside',
    render: ({ status, late }) => (
      <span className="tag-row">
        <ToneTag colour={colours[status]}>{t(`status.${status}`)}</ToneTag>
        {late && (
          <ToneTag colour="amber" title={t('late-hint')}>
            {t('late')}
          </ToneTag>
        )}
      </span>
    ),
  },
  {
    key: 'paid',
    title: t('column.paid'),
    render: (row) => <span className="nowrap">{timeText(row.paid_time)}</span>,
  },
];
