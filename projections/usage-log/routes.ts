import { optionIsOn, optionNumber } from '../../domain/option/read.ts';
import type { DataRow, LogStat } from '../contract/log.ts';
import { dataQuery, logFilterQuery, logPageQuery } from '../contract/query.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Answer, ok, type Routes, type SignedCall } from '../http/routes.ts';
import type { LogFilter } from './filter.ts';
import { entriesOfToken, listEntries, modelHours, sumEntries, sumRange } from './queries.ts';
import type { UsageLogSchema } from './table.ts';
import { type Showing, toWire } from './wire.ts';

type Reader = 'self' | 'admin';
/** 31 days: the console's default week view asks for 30 days and an hour. */
const longestSelfRangeSeconds = 31 * 86_400;

const filterOf = ({ query, caller }: SignedCall, reader: Reader): LogFilter => {
  const asked = logFilterQuery.parse(query);
  const isSelf = reader === 'self';
  return {
    type: asked.type,
    start: asked.start_timestamp,
    end: asked.end_timestamp,
    userId: isSelf ? caller.id : 0,
    username: isSelf ? '' : asked.username,
    tokenName: asked.token_name,
    modelName: asked.model_name,
    group: asked.group,
    channel: isSelf ? 0 : asked.channel,
  };
};

/** Rows that a key reads of itself at once. */
const longestTokenLog = 1_000;

export const usageLogRoutes = ({ db: anyDb, lookups, clock }: ReadDeps): Routes => {
  const db = anyDb.withTables<UsageLogSchema>();

  const amounts = async (): Promise<Showing['amounts']> => {
    const options = await lookups.options();
    return {
      inCurrency: optionIsOn(options, 'DisplayInCurrencyEnabled'),
      quotaPerUnit: optionNumber(options, 'QuotaPerUnit'),
    };
  };

  /** What one API key did, for who holds it; as its owner would see it. */
  const ofToken = async ({ token, caller, language }: SignedCall): Promise<Answer> => {
    const of = { userId: caller.id, tokenId: token?.id ?? 0 };
    const rows = await entriesOfToken(db, of, longestTokenLog);
    const showing: Showing = { language, amounts: await amounts(), channelNames: null };
    return ok(rows.map((row) => toWire(row, showing)));
  };

  const list = async (call: SignedCall, reader: Reader): Promise<Answer> => {
    const { p, page_size } = logPageQuery.parse(call.query);
    const paging = { page: p, pageSize: page_size };
    const { rows, total } = await listEntries(db, filterOf(call, reader), paging);
    const channels = [...new Set(rows.map(({ channel_id }) => channel_id))];
    const showing: Showing = {
      language: call.language,
      amounts: await amounts(),
      channelNames: reader === 'admin' ? await lookups.channelNames(channels) : null,
    };
    return ok({ items: rows.map((row) => toWire(row, showing)), page: p, page_size, total });
  };

  const stat = async (call: SignedCall, reader: Reader): Promise<Answer> => {
    const filter = { ...filterOf(call, reader), type: 2 };
    const now = Math.floor(clock().getTime() / 1000);
    const [range, minute] = await Promise.all([
      sumRange(db, filter),
      sumEntries(db, filter, { from: now - 59, to: now + 60 }),
    ]);
    const { quota, tokens: token } = range;
    return ok({ quota, token, rpm: minute.count, tpm: minute.tokens } satisfies LogStat);
  };

  const data = async (
    query: unknown,
    of: Readonly<{ userId: number; username: string; named: string }>,
  ): Promise<Answer> => {
    const { start_timestamp, end_timestamp } = dataQuery.parse(query);
    const range = { from: start_timestamp, to: end_timestamp || Number.MAX_SAFE_INTEGER };
    const rows = await modelHours(db, range, of);
    const shown: DataRow[] = rows.map(({ hour, model_name, count, quota, tokens }, index) => ({
      id: of.named === '' ? 0 : index + 1,
      user_id: of.userId,
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
    'GET /api/log/token': ofToken,
    'GET /api/log/stat': (call) => stat(call, 'admin'),
    'GET /api/log/self/stat': (call) => stat(call, 'self'),
    'GET /api/data/': ({ query }) => {
      const { username } = dataQuery.parse(query);
      return data(query, { userId: 0, username, named: username });
    },
    'GET /api/data/self': ({ query, caller }) => {
      const { start_timestamp, end_timestamp } = dataQuery.parse(query);
      if (end_timestamp - start_timestamp > longestSelfRangeSeconds) {
        throw new RefusedError('request.range-too-long');
      }
      return data(query, { userId: caller.id, username: '', named: caller.username });
    },
  };
};
