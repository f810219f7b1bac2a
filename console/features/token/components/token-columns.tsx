import type { TFunction } from 'i18next';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import type { Column } from '../../../shared/components/columns.ts';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { Moment } from '../../../shared/components/moment.tsx';
import { Money } from '../../../shared/components/money.tsx';
import { type DotTone, StatusDot } from '../../../shared/components/status-dot.tsx';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { TokenRow } from '../api/tokens.ts';
import { TokenActions } from './token-actions.tsx';
import { TokenKey } from './token-key.tsx';

type Translate = TFunction<'token'>;

const statusTones: Readonly<Record<number, DotTone>> = {
  [tokenStates.enabled]: 'good',
  [tokenStates.disabled]: 'bad',
  [tokenStates.expired]: 'warn',
  [tokenStates.exhausted]: 'idle',
};

const statusText = (token: TokenRow, t: Translate): string => {
  const { enabled, disabled, expired, exhausted } = tokenStates;
  if (token.status === enabled) {
    return token.model_limits_enabled ? t('status.1-limited') : t('status.1');
  }
  if (token.status === disabled) return t('status.2');
  if (token.status === expired) return t('status.3');
  return token.status === exhausted ? t('status.4') : t('status.unknown');
};

type Context = Readonly<{
  t: Translate;
  display: QuotaDisplay;
  onEdit: (tokenId: number) => void;
  /** Shows how to call with this key. */
  onConnect: (tokenId: number) => void;
}>;

/** How much of the quota of a key has been used. */
const Limit = ({
  token,
  t,
  display,
}: Readonly<{ token: TokenRow }> & Pick<Context, 't' | 'display'>) => {
  if (token.unlimited_quota) return <span className="muted">{t('unlimited')}</span>;
  const budget = token.remain_quota + token.used_quota;
  const share = budget > 0 ? Math.min(1, Math.max(0, token.used_quota / budget)) : 1;
  const text = t('used-of', {
    used: formatQuota(token.used_quota, display),
    budget: formatQuota(budget, display),
  });
  return (
    <span className="limit-bar" title={text}>
      <Money units={token.remain_quota} isShort />
      <progress value={share} aria-label={text} />
    </span>
  );
};

export const tokenColumns = ({
  t,
  display,
  onEdit,
  onConnect,
}: Context): readonly Column<TokenRow>[] => [
  {
    key: 'name',
    title: t('name'),
    card: 'title',
    render: ({ name }) => <strong>{name}</strong>,
  },
  {
    key: 'key',
    title: t('search-token'),
    width: 172,
    card: 'line',
    render: (token) => <TokenKey token={token} />,
  },
  {
    key: 'status',
    title: t('status'),
    width: 130,
    card: 'line',
    render: (token) => (
      <StatusDot tone={statusTones[token.status] ?? 'idle'}>{statusText(token, t)}</StatusDot>
    ),
  },
  {
    key: 'group',
    title: t('group'),
    width: 104,
    render: (token) => <GroupTags groups={token.group} />,
  },
  {
    key: 'created',
    title: t('created'),
    width: 96,
    render: (token) => <Moment at={token.created_time} />,
  },
  {
    key: 'expires',
    title: t('expires'),
    width: 118,
    render: (token) =>
      token.expired_time === -1 ? (
        <span className="muted">{t('never')}</span>
      ) : (
        <span title={formatSeconds(token.expired_time)}>
          {formatSeconds(token.expired_time).slice(0, 10)}
        </span>
      ),
  },
  {
    key: 'remain',
    title: t('remain'),
    width: 108,
    isNumber: true,
    render: (token) => <Limit token={token} t={t} display={display} />,
  },
  {
    key: 'used',
    title: t('used'),
    width: 76,
    isNumber: true,
    card: 'figure',
    render: (token) => <Money units={token.used_quota} isShort />,
  },
  {
    key: 'actions',
    title: t('actions'),
    width: 136,
    isWide: true,
    card: 'aside',
    render: (token) => (
      <TokenActions
        token={token}
        onEdit={() => onEdit(token.id)}
        onConnect={() => onConnect(token.id)}
      />
    ),
  },
];

/** Chosen by those who need them. */
export const hiddenColumns = ['created'] as const;
