import type { Kysely } from 'kysely';
import type { ChannelFigures, ChannelFiguresRequest } from '../../domain/channel/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import { findChannel } from './queries.ts';
import { toWire } from './routes.ts';
import type { ChannelListSchema } from './table.ts';

/** Answers the write side, whose replies to an edit show the counters with the settings. */
export const serveChannelFigures = (bus: Bus, anyDb: Kysely<unknown>): Promise<Stop> => {
  const db = anyDb.withTables<ChannelListSchema>();
  return bus.serve<ChannelFiguresRequest, ChannelFigures | null>(
    'channel-list.figures',
    async ({ channelId }) => {
      const row = await findChannel(db, channelId);
      if (row === null) return null;
      return {
        balance: row.balance,
        balanceUpdatedTime: row.balance_updated_time,
        usedQuota: row.used_quota,
        responseTimeMs: row.response_time,
        testTime: row.test_time,
        createdTime: row.created_time,
        otherInfo: toWire(row).other_info,
      };
    },
  );
};
