import { decimalsFor } from '../format/quota.ts';
import { useQuotaDisplay } from '../status.ts';
import { Money } from './money.tsx';

type Props = Readonly<{
  units: number;
  /** Of the column that the amount stands in. */
  places?: number;
  isDelta?: boolean;
}>;

/** Quota units, with more places where two would say that it is nothing. */
export const Amount = ({ units, places, isDelta = false }: Props) => {
  const own = decimalsFor(units, useQuotaDisplay().quotaPerUnit);
  const isExact = places === undefined && own === 6;
  return <Money units={units} decimals={places ?? own} isExact={isExact} isDelta={isDelta} />;
};
