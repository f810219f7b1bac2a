import { Button } from '@blueprintjs/core';
import { EyeOpen, Refresh } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { dateStamp } from '../../../shared/format/time.ts';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useRangedFilters } from '../../../shared/hooks/use-time-range.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { exportAudit, useAudit } from '../api/audit.ts';
import { auditColumns, dayOf } from '../components/audit-columns.tsx';
import { auditFields, noAuditFilters } from '../components/audit-filters.ts';
import { ChangeView } from '../components/change-view.tsx';
import { typeText } from '../components/texts.ts';
import { useReader } from '../components/use-reader.ts';

const none = { ...noAuditFilters, p: '1' };

/** Who changed what, when and from where. Others than administrators see what concerns them. */
export const Audit = () => {
  const { t, i18n } = useTranslation(['audit', 'common']);
  const isAdmin = useIsAdmin();
  const { values, change, range } = useRangedFilters(none, 'all');
  const reader = useReader();
  const { p, range: _, ...filters } = values;
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
  const audit = useAudit({ filters, page, pageSize, isAdmin });
  const { data } = audit;
  return (
    <Page
      title={isAdmin ? t('title') : t('title-own')}
      lead={isAdmin ? t('lead') : t('lead-own')}
      actions={
        <Button
          icon={<Refresh />}
          text={t('common:refresh')}
          loading={audit.isFetching}
          onClick={() => void audit.refetch()}
        />
      }
    >
      <section className="panel">
        <ListToolbar
          fields={auditFields(t, isAdmin)}
          filters={filters}
          none={noAuditFilters}
          onApply={change}
          range={<TimeRangePicker {...range} hasAll />}
          end={
            isAdmin && (
              <ExportButton onExport={(format) => exportAudit(filters, format, dateStamp())} />
            )
          }
        />
        <ListView
          query={audit}
          paging={paging}
          total={data?.total}
          label={t('title')}
          columns={auditColumns(reader)}
          rows={data?.items}
          rowKey={({ id }) => id}
          groupOf={(row) => dayOf(row, i18n.language)}
          detail={(row) => <ChangeView row={row} {...(isAdmin && { onFilter: change })} />}
          detailTitle={({ type }) => typeText(type, t)}
          empty={
            <EmptyState icon={<EyeOpen size={36} />} title={t('empty')} hint={t('empty-hint')} />
          }
        />
      </section>
    </Page>
  );
};
