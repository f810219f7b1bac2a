import type { ChannelSettings, ChannelStatus } from '../../domain/channel/events.ts';
import type { ChannelFeedEntry } from '../../domain/channel/feed.ts';
import type { OptionFeedEntry } from '../../domain/option/feed.ts';
import { defaultOptions } from '../../domain/option/table.ts';
import type { TokenTerms } from '../../domain/token/events.ts';
import type { TokenFeedEntry } from '../../domain/token/feed.ts';
import type { Role } from '../../domain/user/events.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import type { FeedEntry } from '../../infra/ports/bus.ts';
import type { AccountFeedRow, ChannelFeedRow, OptionFeedRow, TokenFeedRow } from './table.ts';

/** What relays need of the terms of a token; its name stays with its owner. */
export type FedTerms = Omit<TokenTerms, 'name' | 'remainQuota'>;

export const fedTerms = ({ name: _name, remainQuota: _quota, ...fed }: TokenTerms): FedTerms => fed;

/** The value of a row, or null once the thing is gone. */
const entry = <T>(
  key: string,
  row: Readonly<{ position: number; deleted: boolean }>,
  value: () => T,
): FeedEntry<T> => ({
  key,
  position: BigInt(row.position),
  value: row.deleted ? null : value(),
});

export const channelEntry = (row: ChannelFeedRow): FeedEntry<ChannelFeedEntry> =>
  entry(String(row.channel_id), row, () => ({
    channelId: row.channel_id,
    status: row.status as ChannelStatus,
    sealedKey: row.sealed_key,
    settings: { ...(JSON.parse(row.settings) as ChannelSettings), tag: row.tag },
  }));

export const tokenEntry = (row: TokenFeedRow): FeedEntry<TokenFeedEntry> =>
  entry(row.key_hash, row, () => {
    const terms = JSON.parse(row.terms) as FedTerms;
    return {
      tokenId: row.token_id,
      userId: row.user_id,
      status: row.status === 1 ? 1 : 2,
      expiredTime: terms.expiredTime,
      unlimitedQuota: terms.unlimitedQuota,
      modelLimits: terms.modelLimitsEnabled ? terms.modelLimits : null,
      allowIps: terms.allowIps,
      group: terms.group,
    };
  });

export const accountEntry = (row: AccountFeedRow): FeedEntry<AccountFeedEntry> =>
  entry(String(row.user_id), row, () => ({
    userId: row.user_id,
    role: row.role as Role,
    status: row.status as 1 | 2 | 3,
    group: row.group,
    sessionEpoch: row.session_epoch,
    acceptUnsetModelRatioModel: row.accepts_unpriced,
  }));

const defaultOf = (key: string): string =>
  (defaultOptions() as ReadonlyMap<string, string>).get(key) ?? '';

export const optionEntry = ({
  key,
  value,
  position,
}: OptionFeedRow): FeedEntry<OptionFeedEntry> => ({
  key,
  position: BigInt(position),
  value: { key, value: value ?? defaultOf(key) },
});

/** Options that nobody ever touched, at the beginning of the log. */
export const defaultOptionEntries = (): FeedEntry<OptionFeedEntry>[] =>
  [...defaultOptions()].map(([key, value]) => ({ key, position: 0n, value: { key, value } }));
