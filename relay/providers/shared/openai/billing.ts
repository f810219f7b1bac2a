import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import { orRefusal } from '../../../protocol/refusal.ts';
import type { ProviderIo } from '../../../upstream/types.ts';
import { amountAt, type Balance, balanceOf, type ProviderAccount, readJson } from '../account.ts';
import { bearer } from '../outgoing.ts';

const aDayInMs = 86_400_000;
/** Accounts without a payment method show what they used in the last 100 days. */
const daysWithoutPayment = 100;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The limit of the account less what was used, which is reported in cents. */
const limitLessUsage = async (
  base: string,
  channel: UpstreamChannel,
  io: ProviderIo,
): Promise<Balance> => {
  const billing = `${base}/v1/dashboard/billing`;
  const headers = bearer(channel);
  const account = await readJson(io, `${billing}/subscription`, headers);
  const now = io.now();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const longAgo = new Date(now.getTime() - daysWithoutPayment * aDayInMs);
  const from = dayOf(account.has_payment_method === true ? monthStart : longAgo);
  const query = new URLSearchParams({ start_date: from, end_date: dayOf(now) });
  const usage = await readJson(io, `${billing}/usage?${query}`, headers);
  const limit = amountAt(account, 'hard_limit_usd');
  const used = amountAt(usage, 'total_usage');
  return balanceOf(limit === null || used === null ? null : limit - used / 100, 'USD');
};

/** The balance by OpenAI's own dashboard. */
export const billedBalance =
  (baseOfChannel: (channel: UpstreamChannel) => string): NonNullable<ProviderAccount['balance']> =>
  (channel, io) =>
    orRefusal(() => limitLessUsage(baseOfChannel(channel), channel, io));
