import { Button, ProgressBar } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nowSeconds } from '../../../shared/format/time.ts';
import { useRound } from '../api/balance.ts';
import type { ChannelRow } from '../api/channels.ts';

export type Round = Readonly<{ kind: 'test' | 'balance'; startedAt: number }>;

/** A round that brings nothing new for so long is over, or waits for a provider that is silent. */
const patienceMs = 20_000;

/** The server marks each channel with the second of its last test and of its last balance. */
const isDone = (channel: ChannelRow, { kind, startedAt }: Round): boolean =>
  (kind === 'test' ? channel.test_time : channel.balance_updated_time) >= startedAt;
const isMeant = (channel: ChannelRow, { kind }: Round): boolean =>
  kind === 'test' ? channel.status !== 2 : channel.status === 1;

export const aRound = (kind: Round['kind']): Round => ({ kind, startedAt: nowSeconds() });

const intentOf = (isOver: boolean, missing: number) => {
  if (!isOver) return 'primary';
  return missing === 0 ? 'success' : 'warning';
};

/** Progress of a test or a reading of balances over all channels. */
export const RoundProgress = ({ round, onEnd }: Readonly<{ round: Round; onEnd: () => void }>) => {
  const { t } = useTranslation(['channel', 'common']);
  const queryClient = useQueryClient();
  const channels = useRound(round.startedAt).data;
  const [isSilent, setSilent] = useState(false);
  const meant = channels?.filter((channel) => isMeant(channel, round)) ?? [];
  const missing = meant.filter((channel) => !isDone(channel, round));
  const done = meant.length - missing.length;
  const isOver = channels !== undefined && (done === meant.length || isSilent);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each further channel begins the wait anew
  useEffect(() => {
    setSilent(false);
    void queryClient.invalidateQueries({
      queryKey: ['channel', 'list'],
      predicate: ({ queryKey }) => queryKey[2] !== 'round',
    });
    const wait = setTimeout(() => setSilent(true), patienceMs);
    return () => clearTimeout(wait);
  }, [done, queryClient]);

  return (
    <div className="round-progress" role="status">
      <span>
        {isOver
          ? t(`round-over.${round.kind}`, { done, total: meant.length, count: meant.length })
          : t(`round.${round.kind}`, { done, total: meant.length })}
        {isOver && missing.length > 0 && (
          <small className="subtle block">
            {t('round-missing', { names: missing.map(({ name }) => name).join(', ') })}
          </small>
        )}
      </span>
      <ProgressBar
        value={meant.length === 0 ? 0 : done / meant.length}
        intent={intentOf(isOver, missing.length)}
        stripes={!isOver}
        animate={!isOver}
      />
      <Button size="small" variant="minimal" text={t('common:close')} onClick={onEnd} />
    </div>
  );
};
