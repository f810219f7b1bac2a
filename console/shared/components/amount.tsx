import { decimalsFor } from '../format/quota.ts';
import { useQuotaDisplay } from '../status.ts';
import { Money } from './money.tsx';

type Props = Readonly<{
  units: number;
  /** Decimal places of the column of the amount. */
  places?: number;
  isDelta?: boolean;
}>;

/** Quota units, with more places where two would show zero. */
export const Amount = ({ units, places, isDelta = false }: Props) => {
  const own = decimalsFor(units, useQuotaDisplay().quotaPerUnit);
  const isExact = places === undefined && own === 6;
  return <Money units={units} decimals={places ?? own} isExact={isExact} isDelta={isDelta} />;
};
