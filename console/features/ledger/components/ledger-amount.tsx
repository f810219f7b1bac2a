import { Money } from '../../../shared/components/money.tsx';

type Props = Readonly<{
  /** Quota units. */
  units: number;
  /** A movement, which writes its plus as well. */
  isDelta?: boolean;
  /** Decimal places of the column of the amount; without a column as many as it needs. */
  places?: number;
}>;

/** A call may cost less than a cent: as many places as it takes, and two at least. */
export const LedgerAmount = ({ units, isDelta = false, places }: Props) => (
  <span className={isDelta && units > 0 ? 'delta-plus' : 'ledger-amount'}>
    <Money
      units={units}
      isDelta={isDelta}
      {...(places === undefined ? { isExact: true } : { decimals: places })}
    />
  </span>
);
