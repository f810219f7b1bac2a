import { Button, HTMLSelect } from '@blueprintjs/core';
import { ColumnLayout, History } from '@blueprintjs/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ColumnDialog, useColumns } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { FilterForm } from '../../../shared/components/filter-form.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { LiveSwitch } from '../../../shared/components/live-switch.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useLive } from '../../../shared/hooks/use-live.ts';
import { storedPageSize } from '../../../shared/hooks/use-page-size.ts';
import { addressPaging, type Paging } from '../../../shared/hooks/use-paging.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { writeLocal } from '../../../shared/local-values.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { type LogFilters, useLogs } from '../api/logs.ts';
import { adminColumns, logColumnKeys, logColumns } from '../components/log-columns.tsx';
import { LogDetails } from '../components/log-details.tsx';
import { LogExport } from '../components/log-export.tsx';
import { defaultLogFilters, logFields, logTypeTexts } from '../components/log-filters.ts';
import { LogStats } from '../components/log-stats.tsx';

/** Filters and place in the list, all in the address. */
const useLogAddress = () => {
  const [defaults] = useState(() => ({
    ...defaultLogFilters(),
    p: '1',
    page_size: String(storedPageSize()),
  }));
  const [{ p, page_size, ...filters }, change] = useUrlFilters(defaults);
  const paging: Paging = {
    ...addressPaging(p, change, Number(page_size) || 10),
    onPageSize: (size) => {
      writeLocal('page-size', String(size));
      change({ page_size: String(size), p: '1' });
    },
  };
  return { filters: filters as LogFilters, paging, change };
};

const useLogColumns = (isAdmin: boolean) => {
  const defaults = Object.fromEntries(
    logColumnKeys.map((key) => [key, isAdmin || !adminColumns.includes(key)]),
  );
  const [shown, change] = useColumns('logs-table-columns', defaults);
  const keys = logColumnKeys.filter((key) => isAdmin || !adminColumns.includes(key));
  return { defaults, shown, change, keys };
};

export const UsageLog = () => {
  const { t } = useTranslation(['usage-log', 'common']);
  const isAdmin = useIsAdmin();
  const display = useQuotaDisplay();
  const queryClient = useQueryClient();
  const { filters, paging, change } = useLogAddress();
  const columns = useLogColumns(isAdmin);
  const [isChoosing, setChoosing] = useState(false);
  const [isPaused, setPaused] = useState(false);
  useLive({ readModels: ['usage-log'], queryKey: ['usage-log'], isPaused });
  const logs = useLogs(filters, { p: paging.page, page_size: paging.pageSize }, isAdmin);
  const rows = logs.data?.items;
  const context = { t, display };

  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<LogStats filters={filters} isAdmin={isAdmin} />}
    >
      <section className="panel">
        <FilterForm
          fields={logFields(t, isAdmin)}
          filters={filters}
          onApply={(next) => {
            change({ ...next, p: '1' });
            void queryClient.invalidateQueries({ queryKey: ['usage-log'] });
          }}
        />
        <div className="toolbar is-second">
          <HTMLSelect
            aria-label={t('column.type')}
            value={filters.type}
            onChange={(event) => change({ type: event.currentTarget.value, p: '1' })}
            options={logTypeTexts.map((type) => ({ value: type, label: t(`type.${type}`) }))}
          />
          <div className="toolbar-end">
            <LiveSwitch isPaused={isPaused} onChange={setPaused} />
            <Button
              icon={<ColumnLayout />}
              text={t('common:columns')}
              onClick={() => setChoosing(true)}
            />
            <LogExport filters={filters} isAdmin={isAdmin} loaded={rows ?? []} />
          </div>
        </div>
        <ListView
          query={logs}
          paging={paging}
          total={logs.data?.total}
          label={t('title')}
          columns={logColumns(
            context,
            (key) => columns.keys.includes(key) && columns.shown[key] === true,
          )}
          rows={rows}
          rowKey={({ id }) => id}
          expand={(row) => <LogDetails row={row} />}
          empty={
            <EmptyState icon={<History size={36} />} title={t('empty')} hint={t('empty-hint')} />
          }
        />
      </section>
      <ColumnDialog
        isOpen={isChoosing}
        titles={Object.fromEntries(columns.keys.map((key) => [key, t(`column.${key}`)]))}
        shown={columns.shown}
        defaults={columns.defaults}
        onChange={columns.change}
        onClose={() => setChoosing(false)}
      />
    </Page>
  );
};
