import { Money } from '../../../shared/components/money.tsx';
import { useQuotaDisplay } from '../../../shared/status.ts';
import { decimalsFor } from './change.ts';

/** Quota units, with more places where two would say that it is nothing. */
export const Amount = ({ units }: Readonly<{ units: number }>) => {
  const decimals = decimalsFor(units, useQuotaDisplay().quotaPerUnit);
  return <Money units={units} decimals={decimals} isExact={decimals === 6} />;
};
