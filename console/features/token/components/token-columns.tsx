import { Tag } from '@blueprintjs/core';
import type { TFunction } from 'i18next';
import { tokenStates } from '../../../../projections/contract/codes.ts';
import type { Column } from '../../../shared/components/data-table.tsx';
import { GroupTags } from '../../../shared/components/group-tags.tsx';
import { ToneTag } from '../../../shared/components/tone-tag.tsx';
import type { TagColour } from '../../../shared/format/colour.ts';
import { formatQuota, type QuotaDisplay } from '../../../shared/format/quota.ts';
import { formatSeconds } from '../../../shared/format/time.ts';
import type { TokenRow } from '../api/tokens.ts';
import { TokenActions } from './token-actions.tsx';
import { TokenKey } from './token-key.tsx';

type Translate = TFunction<'token'>;

const statusColours: Readonly<Record<number, TagColour>> = {
  [tokenStates.enabled]: 'green',
  [tokenStates.disabled]: 'red',
  [tokenStates.expired]: 'yellow',
  [tokenStates.exhausted]: 'grey',
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
}>;

export const tokenColumns = ({ t, display, onEdit }: Context): readonly Column<TokenRow>[] => [
  {
    key: 'name',
    title: t('name'),
    render: (token) => (
      <div>
        <strong>{token.name}</strong>
        <TokenKey token={token} />
      </div>
    ),
  },
  {
    key: 'status',
    title: t('status'),
    render: (token) => (
      <span className="tag-row">
        <ToneTag colour={statusColours[token.status] ?? 'grey'}>{statusText(token, t)}</ToneTag>
        <GroupTags groups={token.group} />
      </span>
    ),
  },
  {
    key: 'used',
    title: t('used'),
    isNumber: true,
    render: (token) => formatQuota(token.used_quota, display),
  },
  {
    key: 'remain',
    title: t('remain'),
    isNumber: true,
    render: (token) =>
      token.unlimited_quota ? (
        <Tag minimal round>
          {t('unlimited')}
        </Tag>
      ) : (
        <ToneTag colour="light-blue">{formatQuota(token.remain_quota, display)}</ToneTag>
      ),
  },
  {
    key: 'created',
    title: t('created'),
    render: (token) => <span className="nowrap">{formatSeconds(token.created_time)}</span>,
  },
  {
    key: 'expires',
    title: t('expires'),
    render: (token) => (
      <span className="nowrap">
        {token.expired_time === -1 ? t('never') : formatSeconds(token.expired_time)}
      </span>
    ),
  },
  {
    key: 'actions',
    title: t('actions'),
    isWide: true,
    render: (token) => <TokenActions token={token} onEdit={() => onEdit(token.id)} />,
  },
];
