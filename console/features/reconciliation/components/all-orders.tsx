import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { BankAccount, Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { Filters } from '../../../shared/components/filters.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { usePageSize } from '../../../shared/hooks/use-page-size.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { useOrders } from '../api/reconciliation.ts';
import { orderColumns } from './order-columns.tsx';

const statuses = ['', 'pending', 'success', 'expired'] as const;

/** Orders of everybody, newest first. */
export const AllOrders = () => {
  const { t } = useTranslation(['reconciliation', 'common']);
  const display = useQuotaDisplay();
  const [{ p, keyword, status }, change] = useUrlFilters({ p: '1', keyword: '', status: '' });
  const [draft, setDraft] = useState(keyword);
  const [pageSize, setPageSize] = usePageSize();
  const page = Math.max(1, Number(p) || 1);
  const orders = useOrders({ page, pageSize, keyword, status });
  const rows = orders.data?.items;
  return (
    <section className="panel" aria-label={t('orders')}>
      <Filters
        active={Number(keyword !== '') + Number(status !== '')}
        onSubmit={() => change({ keyword: draft.trim(), p: '1' })}
      >
        <Field label={t('keyword')}>
          {(id) => (
            <InputGroup
              id={id}
              type="search"
              value={draft}
              placeholder={t('keyword-hint')}
              onValueChange={setDraft}
            />
          )}
        </Field>
        <Field label={t('column.status')}>
          {(id) => (
            <HTMLSelect
              id={id}
              value={status}
              onChange={(event) => change({ status: event.currentTarget.value, p: '1' })}
              options={statuses.map((value) => ({
                value,
                label: value === '' ? t('all') : t(`status.${value}`),
              }))}
            />
          )}
        </Field>
        <Button type="submit" icon={<Search />} text={t('common:search')} />
      </Filters>
      {orders.isError && !orders.data ? (
        <LoadFailed error={orders.error} onRetry={() => void orders.refetch()} />
      ) : (
        <DataTable
          label={t('orders')}
          columns={orderColumns(t, display)}
          rows={rows}
          rowKey={({ trade_no }) => trade_no}
          isBusy={orders.isFetching && !orders.isPending}
          isMuted={(row) => row.status === 'expired'}
          empty={
            <EmptyState
              icon={<BankAccount size={36} />}
              title={t('empty')}
              hint={t('empty-hint')}
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
          onPage={(next) => change({ p: String(next) })}
          onPageSize={(size) => {
            setPageSize(size);
            change({ p: '1' });
          }}
        />
      )}
    </section>
  );
};
