import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../../shared/account.ts';
import { Money } from '../../../shared/components/money.tsx';
import { abbreviate, formatRatio, formatUnits } from '../../../shared/format/quota.ts';
import type { ModelSum } from './series.ts';

type Props = Readonly<{
  total: Omit<ModelSum, 'model'>;
  /** Length of the range, for the means. */
  minutes: number;
  isPending: boolean;
}>;

/** The account since it was opened, and the tokens and the pace of the range, in one line. */
export const Summary = ({ total, minutes, isPending }: Props) => {
  const { t } = useTranslation('dashboard');
  const self = useSelf().data;
  const mean = (value: number) => formatRatio(value, Math.max(1, Math.round(minutes)), 3);
  const isWaiting = self === undefined;
  const facts = [
    ['balance', isWaiting, <Money key="balance" units={self?.quota ?? 0} />],
    ['used', isWaiting, <Money key="used" units={self?.used_quota ?? 0} />],
    ['requests', isWaiting, formatUnits(self?.request_count ?? 0)],
    ['range-tokens', isPending, abbreviate(total.tokens)],
    ['mean-rpm', isPending, mean(total.count)],
    ['mean-tpm', isPending, mean(total.tokens)],
  ] as const;
  return (
    <section className="panel fact-strip" aria-label={t('card.account')}>
      <dl>
        {facts.map(([name, waits, value]) => (
          <div key={name}>
            <dt>{t(`fact.${name}`)}</dt>
            <dd className={waits ? Classes.SKELETON : ''}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
