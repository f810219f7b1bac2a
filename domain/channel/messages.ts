import type { ChannelId } from '../shared/ids.ts';
import type { QuotaUnits } from '../shared/quota.ts';

/*
 * Requests of the write side to the read side. Subject:
 *   request  `channel-list.figures`   ChannelFiguresRequest → ChannelFigures | null
 */

export type ChannelFiguresRequest = Readonly<{ channelId: ChannelId }>;

/** What a channel has spent and shown, which no operator sets. Times in Unix seconds. */
export type ChannelFigures = Readonly<{
  /** In the provider's own currency. */
  balance: number;
  balanceUpdatedTime: number;
  usedQuota: QuotaUnits;
  responseTimeMs: number;
  testTime: number;
  createdTime: number;
  /** JSON text of why the status changed by itself; "" otherwise. */
  otherInfo: string;
}>;
