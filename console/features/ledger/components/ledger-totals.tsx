import { Classes } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Money } from '../../../shared/components/money.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import type { LedgerPage } from '../api/ledger.ts';

type FigureProps = Readonly<{ title: string; value: ReactNode; note: ReactNode }>;

/** Has its size before its value is there. */
const Figure = ({ title, value, note }: FigureProps) => (
  <div className="panel stat">
    <dt>{title}</dt>
    <dd>
      {value ?? <span className={Classes.SKELETON}>$0.00</span>}
      <small>{note ?? '\u00a0'}</small>
    </dd>
  </div>
);

/** Balance, what was spent, and how many movements the filters leave. */
export const LedgerTotals = ({ page }: Readonly<{ page: LedgerPage | undefined }>) => {
  const { t } = useTranslation('ledger');
  const reserved = (page?.leases ?? []).reduce((sum, lease) => sum + lease.amount - lease.spent, 0);
  const money = (units: number | undefined) =>
    units === undefined ? undefined : <Money units={units} />;
  const exact = (units: number | undefined) =>
    units === undefined ? undefined : t('units-exact', { count: units, units: formatUnits(units) });
  const reservedNote = reserved > 0 ? ` · ${t('reserved', { units: formatUnits(reserved) })}` : '';
  return (
    <dl className="stats ledger-stats">
      <Figure
        title={t('balance')}
        value={money(page?.balance)}
        note={page && `${exact(page.balance)}${reservedNote}`}
      />
      <Figure title={t('used')} value={money(page?.used)} note={exact(page?.used)} />
      <Figure
        title={t('movements')}
        value={page && formatUnits(page.total)}
        note={t('movements-hint')}
      />
    </dl>
  );
};
