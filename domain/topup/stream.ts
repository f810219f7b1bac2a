import type { TradeNo } from './events.ts';

export const topUpStreamId = (tradeNo: TradeNo): string => `topup-${tradeNo}`;

const shape = /^USR\d{1,16}NO[0-9A-Za-z]{6}\d{10}$/;
/** Nothing else was ever given out, and nothing else becomes the name of a stream. */
export const isTradeNo = (text: string): boolean => shape.test(text);
