import { useTranslation } from 'react-i18next';
import { exactAmount } from '../format/amount-text.ts';
import { asCurrency, asExactCurrency, formatUnits } from '../format/quota.ts';
import { useQuotaDisplay } from '../status.ts';

type Props = Readonly<{
  /** Quota units. */
  units: number;
  /** Places after the point; two where nothing else is written. */
  decimals?: number;
  /** As many places as the amount needs. */
  isExact?: boolean;
  /** A change: a plus is written as well. */
  isDelta?: boolean;
}>;

/** An amount as the site shows it, with every unit and the exact value on hover. */
export const Money = ({ units, decimals = 2, isExact = false, isDelta = false }: Props) => {
  const { t } = useTranslation('common');
  const display = useQuotaDisplay();
  const sign = isDelta && units > 0 ? '+' : '';
  const amount = isExact ? asExactCurrency(units, display) : asCurrency(units, display, decimals);
  const text = display.inCurrency ? amount : formatUnits(units);
  return (
    <span className="money" title={t('exact-amount', exactAmount(units, display))}>
      {sign}
      {text}
    </span>
  );
};
