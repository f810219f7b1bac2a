import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { PriceSteps } from '../../../shared/components/price-steps.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import { paths } from '../../../shared/paths.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { LedgerAmount } from './ledger-amount.tsx';
import { actorText, causeText } from './ledger-columns.tsx';

/** Seconds around an entry in which its call lies. */
const around = 2;

/** The calls of the moment in which the movement was made. */
const CallLink = ({ entry }: Readonly<{ entry: LedgerEntry }>) => {
  const { t } = useTranslation('ledger');
  const range = new URLSearchParams({
    start_timestamp: String(entry.at - around),
    end_timestamp: String(entry.at + around),
    ...(entry.model_name && { model_name: entry.model_name }),
  });
  return <Link to={`${paths.log}?${range}`}>{t('open-call')}</Link>;
};

type Props = Readonly<{
  entry: LedgerEntry;
  /** Null: the signed-in user's own. */
  userId: number | null;
}>;

/** Who, why and how it was computed. */
export const EntryDetails = ({ entry, userId }: Props) => {
  const { t } = useTranslation('ledger');
  const isAdmin = useIsAdmin();
  const usage = entry.price?.usage;
  const facts: readonly (readonly [string, ReactNode, boolean])[] = [
    [t('column.at'), formatSeconds(entry.at), true],
    [t('column.cause'), causeText(entry, t), causeText(entry, t) !== ''],
    [t('detail.balance'), <LedgerAmount key="balance" units={entry.balance_after} />, true],
    [t('detail.entry'), <code key="entry">{entry.id}</code>, true],
    [
      t('detail.request'),
      <CopyTag key="request" colour="grey" text={entry.request_id} />,
      entry.request_id !== '',
    ],
    [t('detail.reference'), entry.reference, entry.reference !== ''],
    [t('detail.channel'), entry.channel, isAdmin && entry.channel > 0],
    [t('column.actor'), actorText(entry, t), true],
    [
      t('detail.usage'),
      usage &&
        t('detail.usage-text', {
          prompt: formatUnits(usage.promptTokens),
          completion: formatUnits(usage.completionTokens),
          cached: formatUnits(usage.cachedTokens),
        }),
      usage !== undefined,
    ],
  ];
  return (
    <div className="log-details">
      <p className="receipt-total">
        <strong>
          <LedgerAmount units={entry.delta} isDelta />
        </strong>
        <span>{t('units-exact', { count: entry.delta, units: formatUnits(entry.delta) })}</span>
      </p>
      <Facts
        facts={facts.filter(([, , isPresent]) => isPresent).map(([name, value]) => [name, value])}
      />
      {entry.price && (
        <section aria-label={t('detail.price')}>
          <h3>{t('detail.price')}</h3>
          <PriceSteps steps={entry.price.steps} amount={entry.price.amount} />
        </section>
      )}
      {entry.kind === 'RequestCharged' && (isAdmin || userId === null) && (
        <CallLink entry={entry} />
      )}
    </div>
  );
};
