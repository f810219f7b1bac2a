import { Chart } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatQuota, formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import { colourIn, type Series } from '../../../shared/format/series.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{
  sums: readonly ModelSum[];
  series: readonly Series[];
  totalCalls: number;
  isBusy: boolean;
}>;

/** The numbers of the charts as a table, for screen readers too. */
export const ModelTable = ({ sums, series, totalCalls, isBusy }: Props) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const columns: readonly Column<ModelSum>[] = [
    {
      key: 'model',
      title: t('column.model'),
      render: ({ model }) => (
        <span className="model-name">
          <i style={{ background: colourIn(series, model) }} />
          {model}
        </span>
      ),
    },
    {
      key: 'calls',
      title: t('column.calls'),
      isNumber: true,
      render: ({ count }) => formatUnits(count),
    },
    {
      key: 'share',
      title: t('column.share'),
      isNumber: true,
      render: ({ count }) => t('percent', { share: formatRatio(count * 100, totalCalls, 1) }),
    },
    {
      key: 'tokens',
      title: t('column.tokens'),
      isNumber: true,
      render: ({ tokens }) => formatUnits(tokens),
    },
    {
      key: 'quota',
      title: t('column.quota'),
      isNumber: true,
      render: ({ quota }) => formatQuota(quota, display, 4),
    },
  ];
  return (
    <DataTable
      label={t('table')}
      columns={columns}
      rows={sums}
      rowKey={({ model }) => model}
      isBusy={isBusy}
      empty={<EmptyState icon={<Chart size={36} />} title={t('empty')} hint={t('empty-hint')} />}
    />
  );
};
