import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../../shared/account.ts';
import { abbreviate, formatQuota, formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{
  total: Omit<ModelSum, 'model'>;
  /** Length of the range, for the means. */
  minutes: number;
  isPending: boolean;
}>;

/** Three cards: the account, the range, and what it comes to each minute. */
export const Summary = ({ total, minutes, isPending }: Props) => {
  const { t } = useTranslation('dashboard');
  const display = useQuotaDisplay();
  const self = useSelf().data;
  const mean = (value: number) => formatRatio(value, Math.max(1, Math.round(minutes)), 3);
  const cards = [
    {
      id: 'account',
      isWaiting: self === undefined,
      facts: [
        ['balance', formatQuota(self?.quota, display)],
        ['used', formatQuota(self?.used_quota, display)],
        ['requests', formatUnits(self?.request_count ?? 0)],
      ],
    },
    {
      id: 'range',
      isWaiting: isPending,
      facts: [
        ['range-quota', formatQuota(total.quota, display)],
        ['range-tokens', abbreviate(total.tokens)],
        ['range-calls', formatUnits(total.count)],
      ],
    },
    {
      id: 'pace',
      isWaiting: isPending,
      facts: [
        ['mean-rpm', mean(total.count)],
        ['mean-tpm', mean(total.tokens)],
      ],
    },
  ] as const;
  return (
    <div className="summary-cards">
      {cards.map(({ id, isWaiting, facts }) => (
        <section key={id} className="panel" aria-label={t(`card.${id}`)}>
          <dl>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{t(`fact.${name}`)}</dt>
                <dd className={isWaiting ? Classes.SKELETON : ''}>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
};
