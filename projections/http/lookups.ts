import type { Caller } from './sign-in.ts';

/** A user as the guard needs them, as they are now. */
export type KnownUser = Caller &
  Readonly<{ status: number; deleted: boolean; session_epoch: number }>;

/** What one read model needs of another; the composition hands the queries in. */
export interface Lookups {
  userById(id: number): Promise<KnownUser | null>;
  userByAccessTokenHash(hash: string): Promise<KnownUser | null>;
  usernames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** What the operator set; absent keys have their default. Secrets are never among them. */
  options(): Promise<ReadonlyMap<string, string>>;
}
