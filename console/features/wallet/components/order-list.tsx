import { Button } from '@blueprintjs/core';
import { BankAccount, Barcode } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TopUpOrderRow } from '../../../../projections/contract/topup.ts';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds, nowSeconds } from '../../../shared/format/time.ts';
import { usePageSize } from '../../../shared/hooks/use-page-size.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
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

type Parts = Readonly<{ t: Translate; display: QuotaDisplay; onPay: (order: OpenOrder) => void }>;

const columnsOf = ({ t, display, onPay }: Parts): readonly Column<TopUpOrderRow>[] => [
  {
    key: 'time',
    title: t('column.time'),
    render: (row) => <span className="nowrap">{formatSeconds(row.create_time)}</span>,
  },
  {
    key: 'number',
    title: t('column.number'),
    isWide: true,
    render: (row) => <code>{row.trade_no}</code>,
  },
  {
    key: 'quota',
    title: t('column.quota'),
    isNumber: true,
    render: (row) => formatQuota(row.quota + row.bonus_quota, display),
  },
  {
    key: 'money',
    title: t('column.money'),
    isNumber: true,
    render: (row) => t('yuan', { money: row.money }),
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
    key: 'actions',
    title: t('column.actions'),
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
  const display = useQuotaDisplay();
  const [page, setPage] = useState(1);
  const [pageSize, setPageSize] = usePageSize();
  const orders = useOwnOrders(page, pageSize);
  const rows = orders.data?.items;
  return (
    <section className="panel" aria-label={t('orders')}>
      <div className="panel-body">
        <h2 className="panel-title">{t('orders')}</h2>
      </div>
      {orders.isError && !orders.data ? (
        <LoadFailed error={orders.error} onRetry={() => void orders.refetch()} />
      ) : (
        <DataTable
          label={t('orders')}
          columns={columnsOf({ t, display, onPay })}
          rows={rows}
          rowKey={({ trade_no }) => trade_no}
          isBusy={orders.isFetching && !orders.isPending}
          isMuted={({ status }) => status === 'expired'}
          empty={
            <EmptyState
              icon={<BankAccount size={36} />}
              title={t('no-orders')}
              hint={t('no-orders-hint')}
            />
          }
        />
      )}
      {rows && (orders.data?.total ?? 0) > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          shown={rows.length}
          total={orders.data?.total ?? null}
          onPage={setPage}
          onPageSize={(size) => {
            setPageSize(size);
            setPage(1);
          }}
        />
      )}
    </section>
  );
};
