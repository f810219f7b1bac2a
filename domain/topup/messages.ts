import type { TradeNo } from './events.ts';

/*
 * What the write side asks those who read. Subject `topup-list.due`: orders that nobody paid in
 * their time, oldest first.
 */

/** `at` is in Unix seconds. */
export type DueTopUpsRequest = Readonly<{ at: number; limit: number }>;
export type DueTopUps = Readonly<{ tradeNos: readonly TradeNo[] }>;
