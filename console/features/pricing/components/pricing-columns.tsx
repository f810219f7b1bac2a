import { Tag } from '@blueprintjs/core';
import { Cross, Tick } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { quotaTypes } from '../../../../projections/contract/codes.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import { colourOfRatio } from '../../../shared/format/colour.ts';
import type { Pricing, PricingRow } from '../api/pricing.ts';
import { type PriceTexts, plain, priceTexts } from './price-text.ts';

type Context = Readonly<{
  t: TFunction<'pricing'>;
  pricing: Pricing;
  group: string;
  onGroup: (group: string) => void;
}>;

const Availability = ({ row, context }: Readonly<{ row: PricingRow; context: Context }>) => {
  const { t, group } = context;
  const isAvailable = row.enable_groups.includes(group);
  const text = isAvailable ? t('available') : t('unavailable');
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={isAvailable ? 'delta-plus' : 'delta-minus'}
    >
      {isAvailable ? <Tick /> : <Cross />}
    </span>
  );
};

const Groups = ({ row, context }: Readonly<{ row: PricingRow; context: Context }>) => {
  const { pricing, group, onGroup } = context;
  const names = row.enable_groups.filter((name) => name in pricing.groups);
  return (
    <span className="tag-row">
      {names.map((name) =>
        name === group ? (
          <Tag key={name} className="tone tone-blue" round minimal icon={<Tick />}>
            {name}
          </Tag>
        ) : (
          <Tag
            key={name}
            className="tone tone-blue"
            round
            minimal
            interactive
            onClick={() => onGroup(name)}
          >
            {name}
          </Tag>
        ),
      )}
    </span>
  );
};

/** The ratios behind the prices of a model. */
const Ratios = ({ row, context }: Readonly<{ row: PricingRow; context: Context }>) => {
  const { t, pricing, group } = context;
  const groupRatio = pricing.ratios[group] ?? 1;
  const ofGroup = (
    <ToneTag colour={colourOfRatio(groupRatio)}>
      {t('ratio-group', { ratio: plain(groupRatio) })}
    </ToneTag>
  );
  if (!row.has_price || row.quota_type === quotaTypes.byCall) return ofGroup;
  const texts = [
    t('ratio-model', { ratio: plain(row.model_ratio) }),
    t('ratio-completion', { ratio: Number(row.completion_ratio.toFixed(3)) }),
  ];
  return (
    <span className="two-rows" title={texts.join(' · ')}>
      {ofGroup}
      <span>{texts.join(' · ')}</span>
    </span>
  );
};

type PriceProps = Readonly<{ row: PricingRow; prices: PriceTexts; t: Context['t'] }>;

const Price = ({ row, prices, t }: PriceProps) => {
  if (!row.has_price) {
    return (
      <span className="warn" title={t('no-price-hint')}>
        {t('no-price')}
      </span>
    );
  }
  if ('call' in prices) {
    const unit = row.by_second ? 'price-second' : 'price-call';
    return <span className="two-rows">{t(unit, { price: prices.call })}</span>;
  }
  return (
    <span className="two-rows">
      <span>{t('price-prompt', { price: prices.prompt })}</span>
      <span>{t('price-completion', { price: prices.completion })}</span>
    </span>
  );
};

export const pricingColumns = (context: Context): readonly Column<PricingRow>[] => {
  const { t, group, pricing } = context;
  const pricesOf = priceTexts(pricing.rows, pricing.ratios[group] ?? 1);
  return [
    {
      key: 'available',
      title: t('column.available'),
      width: 98,
      card: 'figure',
      sortBy: ({ enable_groups }) => Number(!enable_groups.includes(group)),
      render: (row) => <Availability row={row} context={context} />,
    },
    {
      key: 'model',
      title: t('column.model'),
      card: 'title',
      render: ({ model_name }) => <CopyTag text={model_name} />,
    },
    {
      key: 'type',
      title: t('column.type'),
      width: 114,
      sortBy: ({ quota_type }) => quota_type,
      render: ({ quota_type, by_second }) =>
        t(quota_type === quotaTypes.byCall && by_second ? 'type.second' : `type.${quota_type}`),
    },
    {
      key: 'groups',
      title: t('column.groups'),
      width: 124,
      render: (row) => <Groups row={row} context={context} />,
    },
    {
      key: 'ratio',
      title: t('column.ratio'),
      width: 232,
      help: t('ratio-help'),
      render: (row) => <Ratios row={row} context={context} />,
    },
    {
      key: 'price',
      title: t('column.price'),
      width: 240,
      isNumber: true,
      card: 'line',
      render: (row) => <Price row={row} prices={pricesOf(row)} t={t} />,
    },
  ];
};
