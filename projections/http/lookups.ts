import type { Session } from '../../domain/access/session.ts';
import type { Caller } from './sign-in.ts';

/** A user as the guard needs them, as they are now. */
export type KnownUser = Caller &
  Readonly<{ status: number; deleted: boolean; session_epoch: number }>;

/** The same, and whether the session that asks is open, whatever its epoch. */
export type SessionUser = KnownUser & Readonly<{ session_open: boolean }>;

/** An API token as the calls that it opens need it. */
export type KeyToken = Readonly<{
  id: number;
  user_id: number;
  /** 1 enabled, 2 disabled. */
  status: number;
  /** Unix seconds; -1 never. */
  expired_time: number;
  /** Quota units. */
  remain_quota: number;
  used_quota: number;
  unlimited_quota: boolean;
}>;

/** What one read model needs of another; the composition hands the queries in. */
export interface Lookups {
  userById(id: number): Promise<KnownUser | null>;
  userBySession(session: Session): Promise<SessionUser | null>;
  userByAccessTokenHash(hash: string): Promise<KnownUser | null>;
  /** By the SHA-256 of the key, hex. */
  tokenByKeyHash(hash: string): Promise<KeyToken | null>;
  /** Quota units. */
  balanceOf(userId: number): Promise<Readonly<{ balance: number; used: number }>>;
  usernames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** What the operator set; absent keys have their default. Secrets are never among them. */
  options(): Promise<ReadonlyMap<string, string>>;
}
