import { Money } from '../../../shared/components/money.tsx';

type Props = Readonly<{
  /** Quota units. */
  units: number;
  /** A movement, which writes its plus as well. */
  isDelta?: boolean;
}>;

/** A call may cost less than a cent: as many places as it takes, and two at least. */
export const LedgerAmount = ({ units, isDelta = false }: Props) => (
  <span className={isDelta && units > 0 ? 'delta-plus' : 'ledger-amount'}>
    <Money units={units} isExact isDelta={isDelta} />
  </span>
);
