import { asCurrency, formatUnits } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';

type Props = Readonly<{
  /** Quota units. */
  units: number;
  /** Of a movement; a balance has none of its own. */
  sign?: '+' | '−';
}>;

/** Exact to the unit: money first and units on hover, or the other way round. */
export const LedgerAmount = ({ units, sign }: Props) => {
  const display = useQuotaDisplay();
  const money = asCurrency(Math.abs(units), display, 6);
  const prefix = sign ?? (units < 0 ? '−' : '');
  const texts = [`${prefix}${money}`, `${prefix}${formatUnits(Math.abs(units))}`] as const;
  const [shown, other] = display.inCurrency ? texts : [texts[1], texts[0]];
  return (
    <span className={sign === '+' ? 'delta-plus' : 'ledger-amount'} title={other}>
      {shown}
    </span>
  );
};
