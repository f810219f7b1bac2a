import { useTranslation } from 'react-i18next';
import { BalanceLine } from '../../../shared/components/balance-line.tsx';
import type { LedgerEntry } from '../api/ledger.ts';

const height = 120;

/** The running balance over the entries shown, oldest on the left. A separate file: loaded late. */
export const BalanceChart = ({ entries }: Readonly<{ entries: readonly LedgerEntry[] }>) => {
  const { t } = useTranslation('ledger');
  const points = entries.map(({ at, balance_after: balance }) => ({ at, balance })).reverse();
  return (
    <div className="balance-chart">
      <BalanceLine
        label={t('chart')}
        name={t('column.balance')}
        points={points}
        height={height}
        isEven
      />
    </div>
  );
};
