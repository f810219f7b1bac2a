import { Button } from '@blueprintjs/core';
import { EyeOpen, Refresh } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { dateStamp } from '../../../shared/format/time.ts';
import { usePageSize } from '../../../shared/hooks/use-page-size.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { exportAudit, useAudit } from '../api/audit.ts';
import { auditColumns } from '../components/audit-columns.tsx';
import { AuditFilterBar, noAuditFilters } from '../components/audit-filter-bar.tsx';
import { ChangeView } from '../components/change-view.tsx';

const defaults = { ...noAuditFilters, p: '1' };

/** Who changed what, when and from where. Others than administrators see what concerns them. */
export const Audit = () => {
  const { t } = useTranslation(['audit', 'common']);
  const isAdmin = useIsAdmin();
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const [pageSize, setPageSize] = usePageSize();
  const page = Math.max(1, Number(p) || 1);
  const audit = useAudit({ filters, page, pageSize, isAdmin });
  const { data } = audit;
  return (
    <Page
      title={isAdmin ? t('title') : t('title-own')}
      lead={isAdmin ? t('lead') : t('lead-own')}
      actions={
        <>
          {isAdmin && (
            <ExportButton onExport={(format) => exportAudit(filters, format, dateStamp())} />
          )}
          <Button
            icon={<Refresh />}
            text={t('common:refresh')}
            loading={audit.isFetching}
            onClick={() => void audit.refetch()}
          />
        </>
      }
    >
      <section className="panel">
        <AuditFilterBar
          key={JSON.stringify(filters)}
          filters={filters}
          isAdmin={isAdmin}
          onApply={(next) => change({ ...next, p: '1' })}
        />
        {audit.isError && !data ? (
          <LoadFailed error={audit.error} onRetry={() => void audit.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={auditColumns(t)}
            rows={data?.items}
            rowKey={({ id }) => id}
            isBusy={audit.isFetching && !audit.isPending}
            expand={(row) => <ChangeView row={row} />}
            empty={
              <EmptyState icon={<EyeOpen size={36} />} title={t('empty')} hint={t('empty-hint')} />
            }
          />
        )}
        {data && data.total > 0 && (
          <Pager
            page={page}
            pageSize={pageSize}
            shown={data.items.length}
            total={data.total}
            onPage={(next) => change({ p: String(next) })}
            onPageSize={(size) => {
              setPageSize(size);
              change({ p: '1' });
            }}
          />
        )}
      </section>
    </Page>
  );
};
