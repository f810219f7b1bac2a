import type { Language } from '../../domain/access/language.ts';
import type { Session } from '../../domain/access/session.ts';
import type { PersonalSeal } from '../../infra/ports/vault.ts';
import type { Caller } from './sign-in.ts';

/** A user as the guard needs them, as they are now. */
export type KnownUser = Caller &
  Readonly<{
    status: number;
    deleted: boolean;
    session_epoch: number;
    has_second_factor: boolean;
  }>;

/** The same, and whether the requesting session is open, whatever its epoch. */
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
  /** One address or network on each line; "": every address. */
  allow_ips: string;
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
  /** As they are called now; who has left is named by their number. */
  usernames(ids: readonly number[], language: Language): Promise<ReadonlyMap<number, string>>;
  /** null: no user has this name. */
  userIdNamed(name: string): Promise<number | null>;
  /** As they are called now, deleted ones as they were last; those of people who left have no name. */
  tokenNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Tokens of that name, deleted ones included. `ownerId` 0: of any owner. */
  tokenIdsNamed(name: string, ownerId: number): Promise<readonly number[]>;
  /** What opens the data of these people; those who have left are missing. */
  personalSeals(ids: readonly number[]): Promise<ReadonlyMap<number, PersonalSeal>>;
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** What the operator set; absent keys have their default. Secrets are never among them. */
  options(): Promise<ReadonlyMap<string, string>>;
}
