import { Callout } from '@blueprintjs/core';
import { TickCircle, WarningSign } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../shared/components/data-table.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { Reconciliation } from '../api/reconciliation.ts';
import { orderColumns, Person } from './order-columns.tsx';

type Translate = TFunction<'reconciliation'>;
type WrongCredit = Reconciliation['credited_not_paid'][number];

const Figures = ({ found }: Readonly<{ found: Reconciliation }>) => {
  const { t } = useTranslation('reconciliation');
  const { paid, credited } = found;
  const figures = [
    [t('figure.paid'), formatUnits(paid.count), `${paid.money} ${paid.currency}`],
    [t('figure.due'), <Money key="due" units={paid.quota} />, t('units')],
    [
      t('figure.credited'),
      <Money key="credited" units={credited.quota} />,
      t('credits', { count: credited.count }),
    ],
    [t('figure.late'), formatUnits(paid.late), t('late-hint')],
    [t('figure.settling'), formatUnits(found.settling), t('settling-hint')],
  ] as const;
  return (
    <dl className="stats ledger-stats">
      {figures.map(([name, value, note]) => (
        <div key={name} className="panel stat">
          <dt>{name}</dt>
          <dd>
            {value}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
};

const creditColumns = (t: Translate): readonly Column<WrongCredit>[] => [
  {
    key: 'at',
    title: t('column.credited-at'),
    render: ({ at }) => <span className="nowrap">{formatSeconds(at)}</span>,
  },
  {
    key: 'number',
    title: t('column.number'),
    isWide: true,
    render: (row) => (
      <>
        <code>{row.trade_no}</code>
        <small className="subtle block">{row.event_id}</small>
      </>
    ),
  },
  { key: 'user', title: t('column.user'), render: (row) => <Person row={row} /> },
  {
    key: 'quota',
    title: t('column.credited'),
    isNumber: true,
    render: ({ quota }) => <Money units={quota} isShort />,
  },
  {
    key: 'problem',
    title: t('column.problem'),
    render: ({ problem }) => t(`problem.${problem}`),
  },
];

/** Money and credits held against each other; both lists have to be empty. */
export const Verdict = ({ found }: Readonly<{ found: Reconciliation }>) => {
  const { t } = useTranslation('reconciliation');
  const { paid_not_credited: open, credited_not_paid: wrong } = found;
  const count = open.length + wrong.length;
  const isClean = count === 0;
  return (
    <>
      <Callout
        intent={isClean ? 'success' : 'danger'}
        icon={isClean ? <TickCircle /> : <WarningSign />}
        title={isClean ? t('clean') : t('broken', { count })}
      >
        {t('checked', { at: formatSeconds(found.checked_at), position: found.position || '–' })}
      </Callout>
      <Figures found={found} />
      {open.length > 0 && (
        <section className="panel" aria-label={t('paid-not-credited')}>
          <div className="panel-body">
            <h2 className="panel-title">{t('paid-not-credited')}</h2>
          </div>
          <DataTable
            label={t('paid-not-credited')}
            columns={orderColumns(t)}
            rows={open}
            rowKey={({ trade_no }) => trade_no}
            isBusy={false}
            empty={null}
          />
        </section>
      )}
      {wrong.length > 0 && (
        <section className="panel" aria-label={t('credited-not-paid')}>
          <div className="panel-body">
            <h2 className="panel-title">{t('credited-not-paid')}</h2>
          </div>
          <DataTable
            label={t('credited-not-paid')}
            columns={creditColumns(t)}
            rows={wrong}
            rowKey={({ event_id }) => event_id}
            isBusy={false}
            empty={null}
          />
        </section>
      )}
    </>
  );
};
