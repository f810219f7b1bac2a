import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { Facts } from '../../../shared/components/facts.tsx';
import { PriceSteps } from '../../../shared/components/price-steps.tsx';
import { formatUnits } from '../../../shared/format/quota.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import type { LedgerEntry } from '../api/ledger.ts';
import { actorText } from './ledger-columns.tsx';

/** Who, why and how it was computed. */
export const EntryDetails = ({ entry }: Readonly<{ entry: LedgerEntry }>) => {
  const { t } = useTranslation('ledger');
  const isAdmin = useIsAdmin();
  const usage = entry.price?.usage;
  const facts: readonly (readonly [string, ReactNode, boolean])[] = [
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
      <Facts
        facts={facts.filter(([, , isPresent]) => isPresent).map(([name, value]) => [name, value])}
      />
      {entry.price && (
        <section aria-label={t('detail.price')}>
          <h3>{t('detail.price')}</h3>
          <PriceSteps steps={entry.price.steps} amount={entry.price.amount} />
        </section>
      )}
    </div>
  );
};
