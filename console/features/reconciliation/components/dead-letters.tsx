import { Callout, Classes, Tag } from '@blueprintjs/core';
import { Error as ErrorIcon } from '@blueprintjs/icons';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../shared/components/columns.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { ListView } from '../../../shared/components/list-view.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { useOwnPaging } from '../../../shared/hooks/use-paging.ts';
import { type DeadLetter, useDeadLetterRecord, useDeadLetters } from '../api/dead-letters.ts';
import { Person } from './order-columns.tsx';

type Translate = TFunction<'reconciliation'>;

const reasonText = (reason: string, t: Translate): string =>
  reason === 'unreadable' ? t('dead-letter.unreadable') : reason;

const columns = (t: Translate): readonly Column<DeadLetter>[] => [
  {
    key: 'at',
    title: t('dead-letter.at'),
    render: ({ at }) => <span className="nowrap">{formatSeconds(at)}</span>,
  },
  {
    key: 'reason',
    title: t('dead-letter.reason'),
    isWide: true,
    render: ({ reason }) => <span className="plain-text">{reasonText(reason, t)}</span>,
  },
  {
    key: 'request',
    title: t('dead-letter.request'),
    isWide: true,
    render: ({ request_id, relay_id }) =>
      request_id === '' && relay_id === '' ? (
        '–'
      ) : (
        <span>
          {request_id !== '' && <CopyTag colour="grey" text={request_id} />}
          <small className="subtle block">{relay_id}</small>
        </span>
      ),
  },
  {
    key: 'user',
    title: t('column.user'),
    render: (row) => (row.user_id === 0 ? '–' : <Person row={row} />),
  },
  {
    key: 'model',
    title: t('dead-letter.model'),
    render: ({ model_name }) => <span className="nowrap">{model_name || '–'}</span>,
  },
  {
    key: 'amount',
    title: t('dead-letter.amount'),
    help: t('dead-letter.amount-hint'),
    isNumber: true,
    render: ({ amount }) => (amount === null ? '–' : formatUnits(amount)),
  },
];

const Record = ({ id }: Readonly<{ id: number }>) => {
  const { t } = useTranslation('reconciliation');
  const found = useDeadLetterRecord(id);
  if (found.isError) {
    return <LoadFailed error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (!found.data) return <div className={Classes.SKELETON}>&nbsp;</div>;
  return (
    <section className="log-details" aria-label={t('dead-letter.record')}>
      <pre className="plain-text">{JSON.stringify(found.data.record, null, 2)}</pre>
    </section>
  );
};

/** Usage that was served and could not be settled; absent while there is none. */
export const DeadLetters = () => {
  const { t } = useTranslation('reconciliation');
  const paging = useOwnPaging();
  const found = useDeadLetters(paging.page, paging.pageSize);
  const total = found.data?.total ?? 0;
  if (found.isError && !found.data) {
    return <LoadFailed error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (total === 0) return null;
  return (
    <section className="panel" aria-label={t('dead-letters')}>
      <div className="panel-body">
        <h2 className="panel-title">
          {t('dead-letters')}{' '}
          <Tag round intent="danger">
            {formatUnits(total)}
          </Tag>
        </h2>
        <Callout compact intent="danger" icon={<ErrorIcon />}>
          {t('dead-letters-hint')}
        </Callout>
      </div>
      <ListView
        query={found}
        paging={paging}
        total={total}
        label={t('dead-letters')}
        columns={columns(t)}
        rows={found.data?.items}
        rowKey={({ id }) => id}
        detail={({ id }) => <Record id={id} />}
        empty={null}
      />
    </section>
  );
};
