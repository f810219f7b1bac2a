import { Button } from '@blueprintjs/core';
import { BankAccount, Barcode } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { TopUpOrderRow } from '../../../../projections/contract/topup.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatSeconds, nowSeconds } from '../../../shared/format/time.ts';
import { useOwnPaging } from '../../../shared/hooks/use-paging.ts';
import { type OpenOrder, useOwnOrders } from '../api/payments.ts';

type Translate = TFunction<'wallet'>;
const colours = { pending: 'blue', success: 'green', expired: 'grey' } as const;

const openOrderOf = (row: TopUpOrderRow): OpenOrder => ({
  trade_no: row.trade_no,
  code_url: row.code_url,
  QRcode_url: '',
  expire_seconds: Math.max(0, row.expire_time - nowSeconds()),
  money: row.money,
});

type Parts = Readonly<{ t: Translate; onPay: (order: OpenOrder) => void }>;

const columnsOf = ({ t, onPay }: Parts): readonly Column<TopUpOrderRow>[] => [
  {
    key: 'time',
    title: t('column.time'),
    card: 'line',
    render: (row) => <span className="nowrap">{formatSeconds(row.create_time)}</span>,
  },
  {
    key: 'number',
    title: t('column.number'),
    card: 'title',
    render: (row) => <code>{row.trade_no}</code>,
  },
  {
    key: 'quota',
    title: t('column.quota'),
    isNumber: true,
    card: 'line',
    render: (row) => <Money units={row.quota + row.bonus_quota} isShort />,
  },
  {
    key: 'money',
    title: t('column.money'),
    isNumber: true,
    card: 'figure',
    render: (row) => t('yuan', { money: row.money }),
  },
  {
    key: 'status',
    title: t('column.status'),
    card: 'line',
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
    key: 'actions',
    title: t('column.actions'),
    card: 'aside',
    render: (row) =>
      row.code_url === '' ? null : (
        <Button
          size="small"
          variant="minimal"
          icon={<Barcode />}
          text={t('pay-on')}
          onClick={() => onPay(openOrderOf(row))}
        />
      ),
  },
];

/** One's own orders, newest first; one that waits can still be paid. */
export const OrderList = ({ onPay }: Readonly<{ onPay: (order: OpenOrder) => void }>) => {
  const { t } = useTranslation('wallet');
  const paging = useOwnPaging();
  const orders = useOwnOrders(paging.page, paging.pageSize);
  return (
    <section className="panel" aria-label={t('orders')}>
      <div className="panel-body">
        <h2 className="panel-title">{t('orders')}</h2>
      </div>
      <ListView
        query={orders}
        paging={paging}
        total={orders.data?.total}
        label={t('orders')}
        columns={columnsOf({ t, onPay })}
        rows={orders.data?.items}
        rowKey={({ trade_no }) => trade_no}
        isMuted={({ status }) => status === 'expired'}
        empty={
          <EmptyState
            icon={<BankAccount size={36} />}
            title={t('no-orders')}
            hint={t('no-orders-hint')}
          />
        }
      />
    </section>
  );
};
