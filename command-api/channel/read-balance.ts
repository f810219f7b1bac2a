import { z } from 'zod';
import { baseUrlOf } from '../../domain/channel/catalogue.ts';
import { decimalTextOf } from '../../domain/shared/decimal.ts';

export type BalanceSource = Readonly<{ type: number; baseUrl: string; key: string; now: Date }>;

const timeoutMs = 15_000;
const longestAnswerBytes = 1024 * 1024;
/** Accounts without a payment method show what they used in the last 100 days. */
const daysWithoutPayment = 100;

const amount = z
  .union([z.number(), z.string().min(1)])
  .transform(Number)
  .pipe(z.number());
const subscription = z.object({
  hard_limit_usd: amount,
  has_payment_method: z.boolean().nullish(),
});
const usage = z.object({ total_usage: amount });
const points = z.object({ success: z.literal(true), data: z.object({ totalPoints: amount }) });
const remaining = z.object({ total_remaining: amount });
const available = z.object({ total_available: amount });
const siliconFlow = z.object({ code: z.literal(20_000), data: z.object({ totalBalance: amount }) });
const deepSeek = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })).min(1),
});

type Headers = Readonly<Record<string, string>>;

/** @throws when the provider does not answer with a document of this shape */
const read = async <T>(url: string, headers: Headers, shape: z.ZodType<T>): Promise<T> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { headers, redirect: 'error', signal });
  const text = await response.text();
  if (!response.ok || text.length > longestAnswerBytes) throw new Error('no balance in the answer');
  return shape.parse(JSON.parse(text));
};

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** In US dollars: the limit of the account less what was used, which is told in cents. */
const openAiBalance = async ({ key, now }: BalanceSource, base: string): Promise<number> => {
  const billing = `${base}/v1/dashboard/billing`;
  const { hard_limit_usd, has_payment_method } = await read(
    `${billing}/subscription`,
    bearer(key),
    subscription,
  );
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const longAgo = new Date(now.getTime() - daysWithoutPayment * 86_400_000);
  const from = dayOf(has_payment_method ? monthStart : longAgo);
  const url = `${billing}/usage?start_date=${from}&end_date=${dayOf(now)}`;
  return hard_limit_usd - (await read(url, bearer(key), usage)).total_usage / 100;
};

const deepSeekBalance = async (url: string, key: string): Promise<number> => {
  const {
    balance_infos: [first, ...others],
  } = await read(url, bearer(key), deepSeek);
  const inYuan = [first, ...others].find((entry) => entry?.currency === 'CNY');
  return (inYuan ?? first)?.total_balance ?? 0;
};

type Reader = (source: BalanceSource, base: string) => Promise<number>;

/** One entry for each type whose provider tells its balance (provider sheet, section 1.5). */
const readers: Readonly<Record<number, Reader>> = {
  1: openAiBalance,
  8: openAiBalance,
  10: async ({ key }, base) =>
    (await read(`${base}/api/report/getUserOverview`, { 'api-key': key }, points)).data.totalPoints,
  12: async ({ key }, base) =>
    (await read(`${base}/dashboard/billing/credit_grants`, bearer(key), remaining)).total_remaining,
  13: async ({ key }, base) =>
    (await read(`${base}/dashboard/billing/credit_grants`, bearer(key), available)).total_available,
  40: async ({ key }, base) =>
    (await read(`${base}/v1/user/info`, bearer(key), siliconFlow)).data.totalBalance,
  43: ({ key }, base) => deepSeekBalance(`${base}/user/balance`, key),
};

export const hasBalance = (type: number): boolean => Object.hasOwn(readers, type);

/**
 * What the provider says is left, in its own currency, as decimal text; null when it does not say.
 * Rounded to 6 places, because differences of floating numbers have tails.
 */
export const readBalance = async (source: BalanceSource): Promise<string | null> => {
  const base = baseUrlOf(source.type, source.baseUrl.replace(/\/+$/, ''));
  try {
    const balance = await readers[source.type]?.(source, base);
    return balance === undefined ? null : decimalTextOf(Math.round(balance * 1e6) / 1e6);
  } catch {
    // Unreachable, too slow or another shape: the operator needs to know no more than that.
    return null;
  }
};
