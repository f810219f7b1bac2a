import { Tag } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { Reconciliation } from '../api/reconciliation.ts';
import { Person, providerText } from './order-columns.tsx';

type Repeat = Reconciliation['paid_again'][number];

const columns = (t: TFunction<'reconciliation'>): readonly Column<Repeat>[] => [
  {
    key: 'at',
    title: t('column.paid'),
    render: ({ at }) => <span className="nowrap">{formatSeconds(at)}</span>,
  },
  {
    key: 'number',
    title: t('column.number'),
    isWide: true,
    render: ({ trade_no }) => <code>{trade_no}</code>,
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
    render: ({ money, currency }) => `${money} ${currency}`,
  },
  {
    key: 'reference',
    title: t('column.repeated'),
    render: (row) => (
      <span>
        <CopyTag colour="amber" text={row.provider_reference} />
        <small className="subtle block">
          {t('credited-payment', { number: row.credited_reference })}
        </small>
      </span>
    ),
  },
];

/** A second payment of an order, for the operator to give back; absent while there is none. */
export const PaidAgain = ({ rows }: Readonly<{ rows: readonly Repeat[] }>) => {
  const { t } = useTranslation('reconciliation');
  if (rows.length === 0) return null;
  return (
    <section className="panel" aria-label={t('paid-again')}>
      <div className="panel-body">
        <h2 className="panel-title">
          {t('paid-again')}{' '}
          <Tag round intent="warning">
            {formatUnits(rows.length)}
          </Tag>
        </h2>
        <p className="panel-lead">{t('paid-again-hint')}</p>
      </div>
      <DataTable
        label={t('paid-again')}
        columns={columns(t)}
        rows={rows}
        rowKey={({ event_id }) => event_id}
        isBusy={false}
        empty={null}
      />
    </section>
  );
};
