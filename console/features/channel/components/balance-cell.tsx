import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast.ts';
import { useUpdateBalance } from '../api/balance.ts';
import type { ChannelRow } from '../api/channels.ts';

/** Provider money, not ours: from 100 000 on only the first and last digits of the whole part. */
const providerBalance = (balance: number): string => {
  const [whole = '0', cents = '00'] = balance.toFixed(2).split('.');
  return balance >= 100_000
    ? `$${whole.slice(0, 2)}..${whole.slice(-2)}.${cents}`
    : `$${whole}.${cents}`;
};

/** The remaining balance at the provider; a click reads it again. */
export const BalanceCell = ({ channel }: Readonly<{ channel: ChannelRow }>) => {
  const { t } = useTranslation('channel');
  const update = useUpdateBalance();
  const label = t('balance-update', { name: channel.name });
  return (
    <button
      type="button"
      className="copy-tag tone tone-teal"
      title={label}
      aria-busy={update.isPending}
      disabled={update.isPending}
      onClick={() =>
        update.mutate(channel.id, {
          onSuccess: (balance) =>
            toast(
              'info',
              t('balance-done', { name: channel.name, balance: providerBalance(balance) }),
            ),
        })
      }
    >
      {providerBalance(channel.balance)}
    </button>
  );
};
