import { decimalsFor } from '../format/quota.ts';
import { useQuotaDisplay } from '../status.ts';
import { Money } from './money.tsx';

type Props = Readonly<{ units: number; isDelta?: boolean }>;

/** Quota units, with more places where two would say that it is nothing. */
export const Amount = ({ units, isDelta = false }: Props) => {
  const decimals = decimalsFor(units, useQuotaDisplay().quotaPerUnit);
  return <Money units={units} decimals={decimals} isExact={decimals === 6} isDelta={isDelta} />;
};
