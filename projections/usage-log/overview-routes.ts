import type { Kysely } from 'kysely';
import { validateOption } from '../../domain/option/validate.ts';
import { compilePrices } from '../../domain/pricing/compile-prices.ts';
import type { overviewApi, RankedThing } from '../contract/overview.ts';
import type { pricePreviewApi } from '../contract/price-preview.ts';
import { currentPrices } from '../http/prices.ts';
import type { ReadDeps } from '../http/read-deps.ts';
import { RefusedError } from '../http/refusals.ts';
import { type Call, type CallTo, type Handlers, ok } from '../http/routes.ts';
import { healthOf } from './channel-health.ts';
import type { CoolingChannels } from './cooling-channels.ts';
import { figuresOf, type Ranked, rankingsOf, stretchBefore } from './overview.ts';
import { previewPrices } from './price-preview.ts';
import type { Stretch } from './split-range.ts';
import type { UsageLogSchema } from './table.ts';

/** A user sees a month of their own calls; an administrator a year. */
const maxSelfSeconds = 31 * 86_400;
const maxAdminSeconds = 366 * 86_400;
/** A day, in a week in which clocks are put back too. */
const maxPreviewSeconds = 25 * 3_600;
const maxRanked = 8;
/** An id that no user has. */
const unknownUserId = -1;

type OverviewCall = CallTo<'GET /api/data/overview'>;

const isKind = (kind: Ranked['kind']) => (row: Ranked) => row.kind === kind;
const idOf = ({ value }: Ranked): number => Number(value);

export const overviewRoutes = (
  { db: anyDb, lookups, clock }: ReadDeps,
  cooling: Pick<CoolingChannels, 'until'>,
): Handlers<typeof overviewApi & typeof pricePreviewApi> => {
  const db: Kysely<UsageLogSchema> = anyDb.withTables<UsageLogSchema>();

  /** The future has no figures: the range ends now at the latest. */
  const stretchOf = (
    { start_timestamp, end_timestamp }: OverviewCall['query'],
    maxSeconds: number,
  ): Stretch => {
    const now = Math.floor(clock().getTime() / 1000);
    const to = end_timestamp > 0 ? Math.min(end_timestamp, now) : now;
    const from = Math.max(1, start_timestamp);
    if (to - from > maxSeconds) throw new RefusedError('request.range-too-long');
    return { from: Math.min(from, to), to };
  };

  const named = async (rows: readonly Ranked[], language: Call['language']) => {
    const ids = (kind: Ranked['kind']) => rows.filter(isKind(kind)).map(idOf);
    const [users, tokens] = await Promise.all([
      lookups.usernames(ids('user'), language),
      lookups.tokenNames(ids('token')),
    ]);
    const thing = (row: Ranked, names: ReadonlyMap<number, string> | null): RankedThing => {
      const { value, calls, errors, quota, tokens: used } = row;
      const id = names === null ? 0 : idOf(row);
      const name = names === null ? value : (names.get(id) ?? '');
      return { id, name, calls, errors, quota, tokens: used };
    };
    return {
      models: rows.filter(isKind('model')).map((row) => thing(row, null)),
      users: rows.filter(isKind('user')).map((row) => thing(row, users)),
      tokens: rows.filter(isKind('token')).map((row) => thing(row, tokens)),
    };
  };

  const overview = async (
    { query, language }: OverviewCall,
    of: Readonly<{ userId: number; maxSeconds: number }>,
  ) => {
    const stretch = stretchOf(query, of.maxSeconds);
    const [current, previous, ranked] = await Promise.all([
      figuresOf(db, stretch, of.userId),
      figuresOf(db, stretchBefore(stretch), of.userId),
      rankingsOf(db, stretch, { userId: of.userId, limit: maxRanked }),
    ]);
    const { users, ...others } = await named(ranked, language);
    return ok({
      current: current.figures,
      previous: previous.figures,
      points: [...current.points],
      ...others,
      users: of.userId === 0 ? users : [],
    });
  };

  return {
    'GET /api/data/overview': async (call) => {
      const { username } = call.query;
      const userId = username === '' ? 0 : ((await lookups.userIdNamed(username)) ?? unknownUserId);
      return overview(call, { userId, maxSeconds: maxAdminSeconds });
    },
    'GET /api/data/self/overview': (call) =>
      overview(call, { userId: call.caller.id, maxSeconds: maxSelfSeconds }),
    'POST /api/data/price_preview': async ({ body }) => {
      const { start_timestamp: from, end_timestamp: to, changes } = body;
      if (to < from || to - from > maxPreviewSeconds) {
        throw new RefusedError('request.range-too-long');
      }
      const before = await currentPrices(lookups);
      const changed = changes.map(({ key, value }) => {
        const check = validateOption(key, value);
        if (!check.ok) throw new RefusedError('request.invalid', 200, key);
        return [key, check.value] as const;
      });
      const after = compilePrices(new Map([...(await lookups.options()), ...changed]));
      return ok(await previewPrices(db, { from, to }, { before, after }));
    },
    'GET /api/data/channels': async ({ query }) => {
      const rows = await healthOf(db, stretchOf(query, maxAdminSeconds));
      const names = await lookups.channelNames(rows.map(({ id }) => id));
      return ok(
        rows.map((row) => ({
          ...row,
          name: names.get(row.id) ?? '',
          cooling_until: cooling.until(row.id),
        })),
      );
    },
  };
};
