import type { UserId } from '../../domain/shared/ids.ts';
import type { AccountFeedEntry } from '../../domain/user/feed.ts';
import type { Feed, FeedEntry } from '../../infra/ports/bus.ts';

export type AccountDirectory = Readonly<{
  apply: (entries: readonly FeedEntry<AccountFeedEntry>[]) => void;
  find: (userId: UserId) => AccountFeedEntry | undefined;
  /** Reads the feed once for a holder who is not cached; null: there is none. */
  fetch: (userId: UserId) => Promise<AccountFeedEntry | null>;
}>;

type Held = { position: bigint; value: AccountFeedEntry | null };

export const createAccountDirectory = (feed: Feed<AccountFeedEntry>): AccountDirectory => {
  const byId = new Map<UserId, Held>();
  const store = ({ key, position, value }: FeedEntry<AccountFeedEntry>): void => {
    const userId = Number(key);
    const held = byId.get(userId);
    if (held === undefined || position >= held.position) byId.set(userId, { position, value });
  };
  return {
    apply: (entries) => {
      for (const entry of entries) store(entry);
    },
    find: (userId) => byId.get(userId)?.value ?? undefined,
    fetch: async (userId) => {
      const entry = await feed.get(String(userId)).catch(() => null);
      if (entry !== null) store(entry);
      return byId.get(userId)?.value ?? null;
    },
  };
};
