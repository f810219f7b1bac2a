import type { TradeNo } from './events.ts';

/*
 * A query of the write side to the read side. Subject `topup-list.due`: orders not paid in their
 * time, oldest first.
 */

/** `at` is in Unix seconds. */
export type DueTopUpsRequest = Readonly<{ at: number; limit: number }>;
export type DueTopUps = Readonly<{ tradeNos: readonly TradeNo[] }>;
