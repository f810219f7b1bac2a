import { useTranslation } from 'react-i18next';
import { exactAmount } from '../format/amount-text.ts';
import {
  asCurrency,
  asExactCurrency,
  formatUnits,
  listAmount,
  type QuotaDisplay,
} from '../format/quota.ts';
import { useQuotaDisplay } from '../status.ts';

type Props = Readonly<{
  /** Quota units. */
  units: number;
  /** Places after the point; two where nothing else is written. */
  decimals?: number;
  /** As many places as the amount needs. */
  isExact?: boolean;
  /** In a list, where the exact amount is left to the tooltip. */
  isShort?: boolean;
  /** A change: a plus is written as well. */
  isDelta?: boolean;
}>;

const textOf = (
  { units, decimals = 2, isExact, isShort }: Props,
  display: QuotaDisplay,
): string => {
  if (isShort) return listAmount(units, display);
  if (!display.inCurrency) return formatUnits(units);
  return isExact ? asExactCurrency(units, display) : asCurrency(units, display, decimals);
};

/** An amount as the site shows it, with every unit and the exact value on hover. */
export const Money = (props: Props) => {
  const { t } = useTranslation('common');
  const display = useQuotaDisplay();
  const { units, isDelta = false } = props;
  return (
    <span className="money" title={t('exact-amount', exactAmount(units, display))}>
      {isDelta && units > 0 ? '+' : ''}
      {textOf(props, display)}
    </span>
  );
};
