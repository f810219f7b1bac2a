import type { UpstreamChannel } from '../../routing/upstream-channel.ts';
import {
  amountAt,
  type Balance,
  balanceOf,
  openAiModels,
  type ProviderAccount,
  readJson,
} from '../shared/account.ts';
import { objectAt } from '../shared/json.ts';
import { baseOf, bearer } from '../shared/outgoing.ts';
import { orRefusal } from '../shared/refusal.ts';
import type { ProviderIo } from '../translate.ts';
import { variants } from './variants.ts';

const aDayInMs = 86_400_000;
/** Accounts without a payment method show what they used in the last 100 days. */
const daysWithoutPayment = 100;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The limit of the account less what was used, which is told in cents. */
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

const billed =
  (baseOfChannel: (channel: UpstreamChannel) => string): NonNullable<ProviderAccount['balance']> =>
  (channel, io) =>
    orRefusal(() => limitLessUsage(baseOfChannel(channel), channel, io));

/** A custom channel's base URL is that of a call: the account is at the same server. */
const serverOf = (channel: UpstreamChannel): string => new URL(baseOf(channel, '')).origin;

const credits =
  (baseUrl: string, member: string): NonNullable<ProviderAccount['balance']> =>
  (channel, io) =>
    orRefusal(async () => {
      const url = `${baseOf(channel, baseUrl)}/dashboard/billing/credit_grants`;
      return balanceOf(amountAt(await readJson(io, url, bearer(channel)), member), 'USD');
    });

const points: NonNullable<ProviderAccount['balance']> = (channel, io) =>
  orRefusal(async () => {
    const url = `${baseOf(channel, 'https://aiproxy.io')}/api/report/getUserOverview`;
    const answer = await readJson(io, url, { 'api-key': channel.key });
    const said = answer.success === true ? amountAt(objectAt(answer, 'data'), 'totalPoints') : null;
    return balanceOf(said, 'points');
  });

const balances: Readonly<Record<number, NonNullable<ProviderAccount['balance']>>> = {
  1: billed((channel) => baseOf(channel, 'https://api.openai.com')),
  8: billed(serverOf),
  10: points,
  12: credits('https://api.api2gpt.com', 'total_remaining'),
  13: credits('https://api.aigc2d.com', 'total_available'),
};

const listing: ReadonlySet<number> = new Set([1, 6, 7, 9, 10, 12, 13, 25, 31, 42, 47, 48]);

const accountOf = (type: number, baseUrl: string): ProviderAccount => {
  const balance = balances[type];
  return {
    ...(listing.has(type) ? { models: openAiModels({ baseUrl }) } : {}),
    ...(balance === undefined ? {} : { balance }),
  };
};

/** By channel type (provider sheet, 1.5 and 1.6). */
export const openAiAccounts: readonly (readonly [number, ProviderAccount])[] = variants.map(
  ({ type, baseUrl }) => [type, accountOf(type, baseUrl)],
);
