import { Chart } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Amount } from '../../../shared/components/amount.tsx';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import { colourIn, type Series } from '../../../shared/format/series.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{
  sums: readonly ModelSum[];
  series: readonly Series[];
  totalCalls: number;
  isBusy: boolean;
  /** Where the calls of a model are listed. */
  linkOf: (model: string) => string;
}>;

/** The numbers of the charts as a table, for screen readers too. */
export const ModelTable = ({ sums, series, totalCalls, isBusy, linkOf }: Props) => {
  const { t } = useTranslation('dashboard');
  const columns: readonly Column<ModelSum>[] = [
    {
      key: 'model',
      title: t('column.model'),
      card: 'title',
      render: ({ model }) => (
        <span className="model-name">
          <i style={{ background: colourIn(series, model) }} />
          <Link to={linkOf(model)}>{model}</Link>
        </span>
      ),
    },
    {
      key: 'calls',
      title: t('column.calls'),
      isNumber: true,
      card: 'line',
      render: ({ count }) => formatUnits(count),
    },
    {
      key: 'share',
      title: t('column.share'),
      isNumber: true,
      card: 'line',
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
      card: 'figure',
      amounts: ({ quota }) => [quota],
      render: ({ quota }, places) => <Amount units={quota} places={places} />,
    },
  ];
  return (
    <DataTable
      label={t('table')}
      columns={columns}
      rows={sums}
      rowKey={({ model }) => model}
      isBusy={isBusy}
      expectedRows={2}
      empty={<EmptyState icon={<Chart size={36} />} title={t('empty')} hint={t('empty-hint')} />}
    />
  );
};
