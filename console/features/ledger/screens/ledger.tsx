import { Button, HTMLSelect } from '@blueprintjs/core';
import { Book, Calculator, Refresh } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { userQuery } from '../../../shared/account.ts';
import { BalanceLine } from '../../../shared/charts/balance-line.tsx';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { ExportButton } from '../../../shared/components/export-button.tsx';
import { ListToolbar } from '../../../shared/components/list-toolbar.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { SelectionBar } from '../../../shared/components/selection-bar.tsx';
import { TimeRangePicker } from '../../../shared/components/time-range-picker.tsx';
import { dateStamp } from '../../../shared/format/time.ts';
import { useAddressPaging } from '../../../shared/hooks/use-paging.ts';
import { useRangedFilters } from '../../../shared/hooks/use-time-range.ts';
import { useIsAdmin, useStoredUser } from '../../../shared/session.ts';
import { exportLedger, type LedgerEntry, useLedger, useOldest } from '../api/ledger.ts';
import { DisputeDrawer } from '../components/dispute-drawer.tsx';
import { EntryDetails } from '../components/entry-details.tsx';
import { hiddenColumns, ledgerColumns } from '../components/ledger-columns.tsx';
import { kindsInOrder } from '../components/ledger-kinds.ts';
import { LedgerTotals } from '../components/ledger-totals.tsx';
import { TimeTravel } from '../components/time-travel.tsx';

const noFilters = { kind: '', start_timestamp: '', end_timestamp: '', as_of: '' };
const none = { ...noFilters, p: '1' };
/** Pixels. */
const chartHeight = 120;
/** Two points make a line. */
const minPoints = 2;

type ChartProps = Readonly<{ entries: readonly LedgerEntry[] | undefined }>;

/** The running balance over the entries shown; its space is reserved until they arrive. */
const ChartSpace = ({ entries }: ChartProps) => {
  const { t } = useTranslation('ledger');
  if (entries === undefined) return <div className="balance-chart" />;
  if (entries.length < minPoints) {
    return <p className="balance-chart is-empty subtle">{t('chart-empty')}</p>;
  }
  const points = entries.map(({ at, balance_after: balance }) => ({ at, balance })).reverse();
  return (
    <div className="balance-chart">
      <BalanceLine
        label={t('chart')}
        name={t('column.balance')}
        points={points}
        height={chartHeight}
        isEven
      />
    </div>
  );
};

const useLedgerTitle = (userId: number | null) => {
  const { t } = useTranslation('ledger');
  const me = useStoredUser();
  const isOther = userId !== null && userId !== me?.id;
  const { data } = useQuery({
    ...userQuery(userId ?? 0),
    enabled: isOther,
    meta: { isQuiet: true },
  });
  if (!isOther) return t('title-own');
  return t('title-of', { name: data?.username ?? `#${userId}` });
};

export const Ledger = () => {
  const { t } = useTranslation(['ledger', 'common']);
  const params = useParams();
  const userId = params.userId === undefined ? null : Number(params.userId);
  const { values, change, range } = useRangedFilters(none, 'all');
  const { p, range: _, ...filters } = values;
  const paging = useAddressPaging(p, change);
  const { page, pageSize } = paging;
  const ledger = useLedger({ userId, filters, page, pageSize });
  const title = useLedgerTitle(userId);
  const { data } = ledger;
  const isAdmin = useIsAdmin();
  const me = useStoredUser();
  const oldest = useOldest(userId).data ?? null;
  const choice = useColumnChoice('ledger-table-columns', ledgerColumns(t), hiddenColumns);
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const [isDisputing, setDisputing] = useState(false);
  const charges = (data?.items ?? []).filter(
    ({ id, kind }) => selected.has(id) && kind === 'RequestCharged',
  );
  const clear = () => setSelected(new Set());

  return (
    <Page
      title={title}
      lead={t('lead')}
      actions={
        <Button
          icon={<Refresh />}
          text={t('common:refresh')}
          loading={ledger.isFetching}
          onClick={() => void ledger.refetch()}
        />
      }
    >
      <LedgerTotals page={data} />
      <section className="panel">
        <TimeTravel
          oldest={oldest}
          asOf={filters.as_of === '' ? null : Number(filters.as_of)}
          onChange={(at) => change({ as_of: at === null ? '' : String(at) })}
        />
        <ChartSpace entries={data?.items} />
        <ListToolbar
          fields={[]}
          filters={filters}
          none={noFilters}
          onApply={change}
          range={<TimeRangePicker {...range} hasAll />}
          end={
            <>
              {choice.button}
              <ExportButton
                onExport={(format) => exportLedger({ userId, filters }, format, dateStamp())}
              />
            </>
          }
        >
          <HTMLSelect
            aria-label={t('column.kind')}
            value={filters.kind}
            onChange={(event) => change({ kind: event.currentTarget.value })}
            options={[
              { value: '', label: t('all-kinds') },
              ...kindsInOrder.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
            ]}
          />
        </ListToolbar>
        <ListView
          query={ledger}
          paging={paging}
          total={data?.total}
          label={title}
          columns={choice.columns}
          rows={data?.items}
          rowKey={({ id }) => id}
          detail={(entry) => <EntryDetails entry={entry} userId={userId} />}
          detailTitle={({ kind }) => t(`kind.${kind}`)}
          {...(isAdmin && { selection: { keys: selected, onChange: setSelected } })}
          empty={<EmptyState icon={<Book size={36} />} title={t('empty')} hint={t('empty-hint')} />}
        />
      </section>
      {isAdmin && (
        <SelectionBar count={selected.size} onClear={clear}>
          <Button
            intent="primary"
            icon={<Calculator />}
            text={t('dispute')}
            disabled={charges.length === 0}
            title={charges.length === 0 ? t('dispute-none') : ''}
            onClick={() => setDisputing(true)}
          />
        </SelectionBar>
      )}
      {isDisputing && me && (
        <DisputeDrawer
          userId={userId ?? me.id}
          charges={charges}
          onClose={() => setDisputing(false)}
          balance={data?.as_of === null ? data.balance : null}
          onPosted={clear}
        />
      )}
    </Page>
  );
};
