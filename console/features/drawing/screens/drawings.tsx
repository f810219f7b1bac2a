import { Callout } from '@blueprintjs/core';
import { Media } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { Pager } from '../../../shared/components/pager.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useStatus } from '../../../shared/status.ts';
import { drawingPageSize, useDrawings } from '../api/drawings.ts';
import { drawingColumns } from '../components/drawing-columns.tsx';
import { DrawingFilterBar, defaultDrawingFilters } from '../components/drawing-filters.tsx';

/** /midjourney: what was drawn, and what became of it. */
export const Drawings = () => {
  const { t } = useTranslation(['drawing', 'common']);
  const isAdmin = useIsAdmin();
  const status = useStatus();
  const queryClient = useQueryClient();
  const [defaults] = useState(() => ({ ...defaultDrawingFilters(), p: '1' }));
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const page = Math.max(1, Number(p) || 1);
  const drawings = useDrawings(filters, page, isAdmin);
  const rows = drawings.data;
  return (
    <Page title={t('title')} lead={t('lead')}>
      {isAdmin && !status.mj_notify_enabled && (
        <Callout intent="primary" className="page-note">
          {t('callback-off')}
        </Callout>
      )}
      <section className="panel">
        <DrawingFilterBar
          key={JSON.stringify(filters)}
          filters={filters}
          isAdmin={isAdmin}
          onApply={(next) => {
            change({ ...next, p: '1' });
            void queryClient.invalidateQueries({ queryKey: ['drawing'] });
          }}
        />
        {drawings.isError && !rows ? (
          <LoadFailed error={drawings.error} onRetry={() => void drawings.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={drawingColumns(t, isAdmin)}
            rows={rows}
            rowKey={({ id }) => id}
            isBusy={drawings.isFetching && !drawings.isPending}
            empty={
              <EmptyState icon={<Media size={36} />} title={t('empty')} hint={t('empty-hint')} />
            }
          />
        )}
        {rows && (rows.length > 0 || page > 1) && (
          <Pager
            page={page}
            pageSize={drawingPageSize}
            shown={rows.length}
            total={null}
            onPage={(next) => change({ p: String(next) })}
          />
        )}
      </section>
    </Page>
  );
};
