import { useTranslation } from 'react-i18next';
import { BalanceLine } from '../../../shared/components/balance-line.tsx';
import type { BalancePoint } from '../api/usage.ts';

/** The balance over the range, oldest on the left. A separate file: loaded late. */
export const BalanceHistory = ({ points }: Readonly<{ points: readonly BalancePoint[] }>) => {
  const { t } = useTranslation('dashboard');
  return <BalanceLine label={t('balance-history')} name={t('balance-history')} points={points} />;
};
