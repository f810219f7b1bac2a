import { HTMLSelect } from '@blueprintjs/core';
import { History } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { LiveSwitch } from '../../../shared/components/live-switch.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { useLive } from '../../../shared/hooks/use-live.ts';
import { storedPageSize } from '../../../shared/hooks/use-page-size.ts';
import { addressPaging, type Paging } from '../../../shared/hooks/use-paging.ts';
import { useRangedFilters } from '../../../shared/hooks/use-time-range.ts';
import { writeLocal } from '../../../shared/local-values.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type LogRow, useLogs } from '../api/logs.ts';
import { hiddenColumns, isCall, logColumns, logSentence } from '../components/log-columns.tsx';
import { LogDetails } from '../components/log-details.tsx';
import { LogExport } from '../components/log-export.tsx';
import { logFields, logTypeTexts, noLogFilters } from '../components/log-filters.ts';
import { LogStats } from '../components/log-stats.tsx';
import { SoughtCall } from '../components/sought-call.tsx';

/** From midnight to an hour ahead. */
const defaultRange = 'today';

/** Filters and place in the list, all in the address. */
const useLogAddress = () => {
  const [none] = useState(() => ({
    ...noLogFilters,
    p: '1',
    page_size: String(storedPageSize()),
  }));
  const { values, change, range } = useRangedFilters(none, defaultRange);
  const { p, page_size, range: _, ...filters } = values;
  const paging: Paging = {
    ...addressPaging(p, change, Number(page_size) || 10),
    onPageSize: (size) => {
      writeLocal('page-size', String(size));
      change({ page_size: String(size) });
    },
  };
  return { filters, range, paging, change };
};

export const UsageLog = () => {
  const { t } = useTranslation('usage-log');
  const isAdmin = useIsAdmin();
  const display = useQuotaDisplay();
  const { filters, range, paging, change } = useLogAddress();
  const choice = useColumnChoice(
    'logs-table-columns',
    logColumns({ t, display }, isAdmin),
    hiddenColumns,
  );
  const [isPaused, setPaused] = useState(false);
  useLive({ readModels: ['usage-log'], queryKey: ['usage-log'], isPaused });
  const logs = useLogs(filters, { p: paging.page, page_size: paging.pageSize }, isAdmin);
  const rows = logs.data?.items;
  const titleOf = (row: LogRow) =>
    isCall(row) && row.model_name ? row.model_name : t(`type.${row.type}`);

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<LogStats filters={filters} isAdmin={isAdmin} />}
    >
      <section className="panel">
        <ListToolbar
          fields={logFields(t, isAdmin)}
          filters={filters}
          none={noLogFilters}
          onApply={change}
          range={<TimeRangePicker {...range} />}
          end={
            <>
              {choice.button}
              <LogExport filters={filters} isAdmin={isAdmin} loaded={rows ?? []} />
              <LiveSwitch isPaused={isPaused} onChange={setPaused} />
            </>
          }
        >
          <HTMLSelect
            aria-label={t('column.type')}
            value={filters.type}
            onChange={(event) => change({ type: event.currentTarget.value })}
            options={logTypeTexts.map((type) => ({ value: type, label: t(`type.${type}`) }))}
          />
        </ListToolbar>
        <ListView
          query={logs}
          paging={paging}
          total={logs.data?.total}
          label={t('title')}
          columns={choice.columns}
          rows={rows}
          rowKey={({ id }) => id}
          sentence={logSentence(t)}
          detail={(row) => <LogDetails row={row} />}
          detailTitle={titleOf}
          empty={
            <EmptyState icon={<History size={36} />} title={t('empty')} hint={t('empty-hint')} />
          }
        />
      </section>
      <SoughtCall />
    </Page>
  );
};
