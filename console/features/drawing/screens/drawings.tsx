import { Callout } from '@blueprintjs/core';
import { Media } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { FilterForm } from '../../../shared/components/filter-form.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { addressPaging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useStatus } from '../../../shared/status.ts';
import { drawingPageSize, useDrawings } from '../api/drawings.ts';
import { drawingColumns } from '../components/drawing-columns.tsx';
import { defaultDrawingFilters, drawingFields } from '../components/drawing-filters.ts';

/** /midjourney: what was drawn, and what became of it. */
export const Drawings = () => {
  const { t } = useTranslation('drawing');
  const isAdmin = useIsAdmin();
  const status = useStatus();
  const queryClient = useQueryClient();
  const [defaults] = useState(() => ({ ...defaultDrawingFilters(), p: '1' }));
  const [{ p, ...filters }, change] = useUrlFilters(defaults);
  const paging = addressPaging(p, change, drawingPageSize);
  const drawings = useDrawings(filters, paging.page, isAdmin);
  return (
    <Page title={t('title')} lead={t('lead')}>
      {isAdmin && !status.mj_notify_enabled && (
        <Callout intent="primary" className="page-note">
          {t('callback-off')}
        </Callout>
      )}
      <section className="panel">
        <FilterForm
          fields={drawingFields(t, isAdmin)}
          filters={filters}
          onApply={(next) => {
            change({ ...next, p: '1' });
            void queryClient.invalidateQueries({ queryKey: ['drawing'] });
          }}
        />
        <ListView
          query={drawings}
          paging={paging}
          total={null}
          label={t('title')}
          columns={drawingColumns(t, isAdmin)}
          rows={drawings.data}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={<Media size={36} />} title={t('empty')} hint={t('empty-hint')} />
          }
        />
      </section>
    </Page>
  );
};
