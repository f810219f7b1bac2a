import type { Recorded } from '../../domain/shared/event.ts';
import type { TokenEvent } from '../../domain/token/events.ts';
import type { UserDeleted } from '../../domain/user/events.ts';
import type { Place } from '../runtime/row-store.ts';
import type { LiveSessions } from '../shared/live-sessions.ts';
import { type PersonalData, preparePersonalData } from '../shared/personal-data.ts';
import type { FeedSeal } from './entries.ts';
import { prepareSessions } from './sessions.ts';
import { feedTables, type TokenFeedRow } from './table.ts';

export type FeedContext = Readonly<{
  personal: PersonalData;
  /** Key hashes of the tokens of those who leave with this batch. */
  tokensOf: ReadonlyMap<number, string[]>;
  live: LiveSessions;
}>;

const readTokens = async (
  owners: readonly number[],
  { rows, schema }: Place,
): Promise<ReadonlyMap<number, string[]>> => {
  const tokensOf = new Map(owners.map((id): [number, string[]] => [id, []]));
  if (owners.length === 0) return tokensOf;
  const selection = { table: feedTables.tokens, column: 'user_id', values: owners };
  const and = { deleted: false };
  const tokens = await rows.select<TokenFeedRow>(schema, { ...selection, and });
  for (const { user_id, key_hash } of tokens) tokensOf.get(user_id)?.push(key_hash);
  return tokensOf;
};

export const prepareFeeds = (deps: FeedSeal) => {
  const types = new Set<string>(['TokenCreated', 'TokenChanged'] satisfies TokenEvent['type'][]);
  const personalData = preparePersonalData(deps, types);
  return async (events: readonly Recorded[], place: Place): Promise<FeedContext> => {
    const leaving = events.flatMap(({ event }) =>
      event.type === 'UserDeleted' ? [(event as UserDeleted).data.userId] : [],
    );
    return {
      personal: await personalData(events, place),
      tokensOf: await readTokens([...new Set(leaving)], place),
      live: await prepareSessions(events, place),
    };
  };
};
