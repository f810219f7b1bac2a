import { Callout } from '@blueprintjs/core';
import { Media } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { addressPaging } from '../../../shared/hooks/use-paging.ts';
import { useRangedFilters } from '../../../shared/hooks/use-time-range.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useStatus } from '../../../shared/status.ts';
import { drawingPageSize, useDrawings } from '../api/drawings.ts';
import { drawingColumns } from '../components/drawing-columns.tsx';
import { drawingFields, noDrawingFilters } from '../components/drawing-filters.ts';

const none = { ...noDrawingFilters, p: '1' };
/** The last thirty days, and an hour more for clocks that differ. */
const defaultRange = '30d';

/** /midjourney: what was drawn, and what became of it. */
export const Drawings = () => {
  const { t } = useTranslation('drawing');
  const isAdmin = useIsAdmin();
  const status = useStatus();
  const { values, change, range } = useRangedFilters(none, defaultRange);
  const { p, range: _, ...filters } = values;
  const paging = addressPaging(p, change, drawingPageSize);
  const drawings = useDrawings(filters, paging.page, isAdmin);
  const choice = useColumnChoice('drawings-table-columns', drawingColumns(t, isAdmin));
  return (
    <Page title={t('title')} lead={t('lead')}>
      {isAdmin && !status.mj_notify_enabled && (
        <Callout intent="primary" className="page-note">
          {t('callback-off')}
        </Callout>
      )}
      <section className="panel">
        <ListToolbar
          fields={drawingFields(t, isAdmin)}
          filters={filters}
          none={noDrawingFilters}
          onApply={change}
          range={<TimeRangePicker {...range} hasAll />}
          end={choice.button}
        />
        <ListView
          query={drawings}
          paging={paging}
          total={null}
          label={t('title')}
          columns={choice.columns}
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
