import type { DataRow, logApi } from '../contract/log.ts';
import type { Lookups } from '../http/lookups.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Call, type CallTo, type Handlers, ok } from '../http/routes.ts';
import { fileOf } from '../shared/export.ts';
import { modelHours } from './dashboard.ts';
import { allEntries, exportColumns } from './export.ts';
import type { LogFilter } from './filter.ts';
import { findCalls } from './find-call.ts';
import { entriesBehind, entriesOfToken, listEntries, sumEntries, sumRange } from './queries.ts';
import { amountFormOf, createShowing } from './showing.ts';
import type { UsageLogSchema } from './table.ts';
import { playgroundGroup, toWire } from './wire.ts';

type Reader = 'self' | 'admin';
type FilterCall = CallTo<'GET /api/log/stat'>;
/** 31 days: the console's default week view requests 30 days and an hour. */
const maxSelfRangeSeconds = 31 * 86_400;

/** An id that no user has. */
const unknownUserId = -1;

/** Names are looked up as they are now; entries hold nothing but ids. */
const createFilterOf = (lookups: Lookups) => {
  /** 0: all users. */
  const userIdOf = async (username: string): Promise<number> =>
    username === '' ? 0 : ((await lookups.userIdNamed(username)) ?? unknownUserId);

  const tokensOf = async (
    name: string,
    ownerId: number,
  ): Promise<Partial<Pick<LogFilter, 'tokenIds' | 'group'>>> => {
    if (name === '') return {};
    const tokenIds = await lookups.tokenIdsNamed(name, Math.max(0, ownerId));
    const group = playgroundGroup(name);
    return tokenIds.length > 0 || group === null ? { tokenIds } : { tokenIds: [0], group };
  };

  const filterOf = async ({ query, caller }: FilterCall, reader: Reader): Promise<LogFilter> => {
    const isSelf = reader === 'self';
    const userId = isSelf ? caller.id : await userIdOf(query.username);
    const tokens = await tokensOf(query.token_name, userId);
    const isContradiction =
      tokens.group !== undefined && query.group !== '' && query.group !== tokens.group;
    return {
      type: query.type,
      start: query.start_timestamp,
      end: query.end_timestamp,
      userId: isContradiction ? unknownUserId : userId,
      tokenIds: tokens.tokenIds ?? null,
      modelName: query.model_name,
      group: tokens.group ?? query.group,
      channel: isSelf ? 0 : query.channel,
    };
  };
  return { userIdOf, filterOf };
};

/** Rows that a key reads of itself at once. */
const maxTokenEntries = 1_000;

export const usageLogRoutes = ({
  db: anyDb,
  lookups,
  clock,
}: ReadDeps): Handlers<typeof logApi> => {
  const db = anyDb.withTables<UsageLogSchema>();
  const { userIdOf, filterOf } = createFilterOf(lookups);
  const showingOf = createShowing(lookups);

  /** What one API key did, for who holds it; as its owner would see it. */
  const ofToken = async ({ token, caller, language }: Call) => {
    const of = { userId: caller.id, tokenId: token?.id ?? 0 };
    const rows = await entriesOfToken(db, of, maxTokenEntries);
    const showing = await showingOf(rows, { language, forAdmin: false });
    return ok(rows.map((row) => toWire(row, showing)));
  };

  const list = async (call: CallTo<'GET /api/log/'>, reader: Reader) => {
    const { p, page_size } = call.query;
    const paging = { page: p, pageSize: page_size };
    const { rows, total } = await listEntries(db, await filterOf(call, reader), paging);
    const { language } = call;
    const showing = await showingOf(rows, { language, forAdmin: reader === 'admin' });
    return ok({ items: rows.map((row) => toWire(row, showing)), page: p, page_size, total });
  };

  /** By request id. */
  const find = async (call: CallTo<'GET /api/log/find'>, reader: Reader) => {
    const { query, caller, language } = call;
    const { request_id: requestId } = query;
    const rows = await findCalls(db, { requestId, userId: reader === 'self' ? caller.id : 0 });
    const showing = await showingOf(rows, { language, forAdmin: reader === 'admin' });
    return ok(rows.map((row) => toWire(row, showing)));
  };

  /** Everything that the list shows under the same filters, as a file. */
  const file = async (call: CallTo<'GET /api/log/export'>, reader: Reader) => {
    const { format } = call.query;
    const filter = await filterOf(call, reader);
    const form = { language: call.language, forAdmin: reader === 'admin' };
    const pages = allEntries(
      filter,
      (of, page) => entriesBehind(db, of, page),
      async (rows) => {
        const showing = await showingOf(rows, form);
        return rows.map((row) => toWire(row, showing));
      },
    );
    const columns = exportColumns({ ...form, amounts: amountFormOf(await lookups.options()) });
    return fileOf(pages, { name: 'logs', format, columns });
  };

  const stat = async (call: FilterCall, reader: Reader) => {
    const filter = { ...(await filterOf(call, reader)), type: 2 };
    const now = Math.floor(clock().getTime() / 1000);
    const [range, minute] = await Promise.all([
      sumRange(db, filter),
      sumEntries(db, filter, { from: now - 59, to: now + 60 }),
    ]);
    const { quota, tokens: token } = range;
    return ok({ quota, token, rpm: minute.count, tpm: minute.tokens });
  };

  const data = async (
    { start_timestamp, end_timestamp }: CallTo<'GET /api/data/'>['query'],
    of: Readonly<{ userId: number; shownId: number; named: string }>,
  ) => {
    const range = { from: start_timestamp, to: end_timestamp || Number.MAX_SAFE_INTEGER };
    const rows = await modelHours(db, range, of.userId);
    const shown: DataRow[] = rows.map(({ hour, model_name, count, quota, tokens }, index) => ({
      id: of.named === '' ? 0 : index + 1,
      user_id: of.shownId,
      username: of.named,
      model_name,
      created_at: hour,
      token_used: tokens,
      count,
      quota,
    }));
    return ok(shown);
  };

  return {
    'GET /api/log/': (call) => list(call, 'admin'),
    'GET /api/log/self': (call) => list(call, 'self'),
    'GET /api/log/find': (call) => find(call, 'admin'),
    'GET /api/log/self/find': (call) => find(call, 'self'),
    'GET /api/log/token': ofToken,
    'GET /api/log/export': (call) => file(call, 'admin'),
    'GET /api/log/self/export': (call) => file(call, 'self'),
    'GET /api/log/stat': (call) => stat(call, 'admin'),
    'GET /api/log/self/stat': (call) => stat(call, 'self'),
    'GET /api/data/': async ({ query }) => {
      const { username } = query;
      return data(query, { userId: await userIdOf(username), shownId: 0, named: username });
    },
    'GET /api/data/self': ({ query, caller }) => {
      const { start_timestamp, end_timestamp } = query;
      if (end_timestamp - start_timestamp > maxSelfRangeSeconds) {
        throw new RefusedError('request.range-too-long');
      }
      const { id, username: named } = caller;
      return data(query, { userId: id, shownId: id, named });
    },
  };
};
