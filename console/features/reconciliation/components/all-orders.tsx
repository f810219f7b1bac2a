import { BankAccount } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useOrders } from '../api/reconciliation.ts';
import { orderColumns } from './order-columns.tsx';

const statuses = ['pending', 'success', 'expired'] as const;

/** Orders of all users, newest first. */
export const AllOrders = () => {
  const { t } = useTranslation('reconciliation');
  const columns = orderColumns(t);
  const [{ p, keyword, status }, change] = useUrlFilters({ p: '1', keyword: '', status: '' });
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
  const orders = useOrders({ page, pageSize, keyword, status });
  return (
    <section className="panel" aria-label={t('orders')}>
      <ListToolbar
        fields={[
          {
            name: 'status',
            label: t('column.status'),
            kind: 'choice',
            choices: statuses.map((value) => ({ value, label: t(`status.${value}`) })),
          },
        ]}
        filters={{ keyword, status }}
        none={{ keyword: '', status: '' }}
        search={{ name: 'keyword', label: t('keyword'), hint: t('keyword-hint') }}
        onApply={(next) => change({ ...next, p: '1' })}
      />
      <ListView
        query={orders}
        paging={paging}
        total={orders.data?.total}
        label={t('orders')}
        columns={columns}
        rows={orders.data?.items}
        rowKey={({ trade_no }) => trade_no}
        detail={(row) => (
          <Facts facts={columns.map(({ title, render }) => [title, render(row, 2)])} />
        )}
        detailTitle={({ trade_no }) => trade_no}
        isMuted={(row) => row.status === 'expired'}
        empty={
          <EmptyState icon={<BankAccount size={36} />} title={t('empty')} hint={t('empty-hint')} />
        }
      />
    </section>
  );
};
