import type { Role } from '../../domain/access/roles.ts';
import type { ChannelSettings, ChannelStatus } from '../../domain/channel/events.ts';
import type { ChannelFeedEntry } from '../../domain/channel/feed.ts';
import type { RelayKeysFeedEntry } from '../../domain/keyring/feed.ts';
import type { OptionFeedEntry } from '../../domain/option/feed.ts';
import { defaultOptions } from '../../domain/option/table.ts';
import type { CallLimits } from '../../domain/relay/call-limits.ts';
import { channelKeyPlace, type Sealed } from '../../domain/shared/sealed.ts';
import type { TokenTerms } from '../../domain/token/events.ts';
import type { TokenFeedEntry } from '../../domain/token/feed.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import type { LiveSession } from '../../domain/user/live-sessions.ts';
import type { FeedEntry } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { ReadVault } from '../../infra/ports/vault.ts';
import type {
  AccountFeedRow,
  ChannelFeedRow,
  KeysFeedRow,
  OptionFeedRow,
  TokenFeedRow,
} from './table.ts';

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

export type FeedSeal = Readonly<{ vault: ReadVault; logger: Logger }>;

/** Relays open what is sealed for them and nothing else. "": the key in the log does not open. */
const sealedForRelays = ({ vault, logger }: FeedSeal, row: ChannelFeedRow): Sealed => {
  const at = channelKeyPlace(row.channel_id);
  try {
    return vault.sealForRelays(vault.unseal(row.sealed_key, at), at);
  } catch (error) {
    logger.error({ error, channelId: row.channel_id }, 'channel key cannot be opened');
    return '';
  }
};

/** What a channel costs is the operator's own affair: no relay needs it. */
const fedSettings = (text: string): ChannelSettings => {
  const { costRatio: _, ...fed } = JSON.parse(text) as ChannelSettings;
  return fed;
};

export const channelEntry = (row: ChannelFeedRow, seal: FeedSeal): FeedEntry<ChannelFeedEntry> =>
  entry(String(row.channel_id), row, () => ({
    channelId: row.channel_id,
    status: row.status as ChannelStatus,
    sealedKey: sealedForRelays(seal, row),
    settings: { ...fedSettings(row.settings), tag: row.tag },
  }));

export const keysEntry = ({
  key,
  keyring,
  position,
}: KeysFeedRow): FeedEntry<RelayKeysFeedEntry> => ({
  key,
  position: BigInt(position),
  value: JSON.parse(keyring) as RelayKeysFeedEntry,
});

/** null: the token has no separate limits. */
const limitsIn = (terms: CallLimits): CallLimits | null => {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests } = terms;
  const all = { requestsPerMinute, tokensPerMinute, concurrentRequests };
  const set = Object.entries(all).filter(([, limit]) => limit !== undefined);
  return set.length === 0 ? null : (Object.fromEntries(set) as CallLimits);
};

export const tokenEntry = (row: TokenFeedRow): FeedEntry<TokenFeedEntry> =>
  entry(row.key_hash, row, () => {
    const terms = JSON.parse(row.terms) as FedTerms;
    const limits = limitsIn(terms);
    return {
      tokenId: row.token_id,
      userId: row.user_id,
      status: row.status === 1 ? 1 : 2,
      expiredTime: terms.expiredTime,
      unlimitedQuota: terms.unlimitedQuota,
      modelLimits: terms.modelLimitsEnabled ? terms.modelLimits : null,
      allowIps: terms.allowIps,
      group: terms.group,
      ...(limits === null ? {} : { limits }),
    };
  });

export const accountEntry = (row: AccountFeedRow): FeedEntry<AccountFeedEntry> =>
  entry(String(row.user_id), row, () => ({
    userId: row.user_id,
    role: row.role as Role,
    status: row.status as 1 | 2 | 3,
    group: row.group,
    sessionEpoch: row.session_epoch,
    sessionIds: (JSON.parse(row.sessions) as LiveSession[]).map(({ sessionId }) => sessionId),
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

/** Options that were never changed, at the beginning of the log. */
export const defaultOptionEntries = (): FeedEntry<OptionFeedEntry>[] =>
  [...defaultOptions()].map(([key, value]) => ({ key, position: 0n, value: { key, value } }));
