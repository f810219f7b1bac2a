import { Button } from '@blueprintjs/core';
import { EyeOpen, Refresh } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { FilterForm } from '../../../shared/components/filter-form.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { dateStamp } from '../../../shared/format/time.ts';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { exportAudit, useAudit } from '../api/audit.ts';
import { auditColumns } from '../components/audit-columns.tsx';
import { auditFields, noAuditFilters } from '../components/audit-filters.ts';
import { ChangeView } from '../components/change-view.tsx';

const defaults = { ...noAuditFilters, p: '1' };

/** Who changed what, when and from where. Others than administrators see what concerns them. */
export const Audit = () => {
  const { t } = useTranslation(['audit', 'common']);
  const isAdmin = useIsAdmin();
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
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
        <FilterForm
          fields={auditFields(t, isAdmin)}
          filters={filters}
          none={noAuditFilters}
          onApply={(next) => change({ ...next, p: '1' })}
        />
        <ListView
          query={audit}
          paging={paging}
          total={data?.total}
          label={t('title')}
          columns={auditColumns(t)}
          rows={data?.items}
          rowKey={({ id }) => id}
          expand={(row) => <ChangeView row={row} />}
          empty={
            <EmptyState icon={<EyeOpen size={36} />} title={t('empty')} hint={t('empty-hint')} />
          }
        />
      </section>
    </Page>
  );
};
