import { randomInt } from 'node:crypto';
import { roomOf } from '../../domain/account/room.ts';
import { optionIsOn, optionText } from '../../domain/option/read.ts';
import { reject } from '../../domain/shared/decider.ts';
import { decimalTextOf } from '../../domain/shared/decimal.ts';
import { priceTopUp, topUpDecider } from '../../domain/topup/decider.ts';
import type { PaymentMethod, PaymentProvider, TopUpTerms } from '../../domain/topup/events.ts';
import { topUpStreamId } from '../../domain/topup/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Call } from '../http/call.ts';
import type { Accounts } from '../keeper/accounts.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { uuidFrom } from '../shared/uuid.ts';

type Deps = Readonly<{
  bus: Bus;
  clock: Clock;
  commands: CommandHandler;
  options: SiteOptions;
  accounts: Accounts;
}>;

/** How long a QR code is valid. */
export const expireSeconds = 300;
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLetters = 6;
/** A client repeats a request within minutes; a day is plenty. */
const rememberedSeconds = 24 * 60 * 60;

type Wanted = Readonly<{ amount: number; provider: PaymentProvider; method: PaymentMethod }>;

const ratioOf = (json: string, group: string): string => {
  const ratios = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const ratio = Object.hasOwn(ratios, group) ? ratios[group] : 1;
  return typeof ratio === 'number' && ratio > 0 ? decimalTextOf(ratio) : '1';
};

const newTradeNo = (userId: number, seconds: number): string => {
  const random = Array.from({ length: randomLetters }, () => letters[randomInt(letters.length)]);
  return `USR${userId}NO${random.join('')}${seconds}`;
};

/** What an amount costs now, and the order that holds the site to it. */
export const createOrderPlacement = ({ accounts, bus, clock, commands, options }: Deps) => {
  const remembered = bus.keyValue('topup-numbers', { ttlSeconds: rememberedSeconds });

  const termsFor = async ({ caller }: Call, amount: number): Promise<TopUpTerms> => {
    const { options: stored } = await options.state();
    return {
      amount,
      inCurrency: optionIsOn(stored, 'DisplayInCurrencyEnabled'),
      price: optionText(stored, 'Price'),
      group: caller.group,
      groupRatio: ratioOf(optionText(stored, 'TopupGroupRatio'), caller.group),
      quotaPerUnit: optionText(stored, 'QuotaPerUnit'),
    };
  };

  /** A request that the client repeats under its key is the same order. */
  const tradeNoFor = async ({ caller, metadata, isRepeatable }: Call): Promise<string> => {
    const tradeNo = newTradeNo(caller.userId, Math.floor(clock().getTime() / 1_000));
    if (!isRepeatable) return tradeNo;
    const key = uuidFrom(`${metadata.commandId}/topup`);
    if (await remembered.create(key, tradeNo)) return tradeNo;
    return (await remembered.get<string>(key)) ?? tradeNo;
  };

  return {
    price: async (call: Call, amount: number) =>
      priceTopUp(await termsFor(call, amount), await options.number('MinTopUp')),

    place: async (call: Call, { amount, provider, method }: Wanted) => {
      const tradeNo = await tradeNoFor(call);
      const expiresAt = new Date(clock().getTime() + expireSeconds * 1_000).toISOString();
      const account = await accounts.summary(call.caller.userId);
      const result = await call.perform(topUpDecider, topUpStreamId(tradeNo), {
        type: 'OrderTopUp',
        data: {
          tradeNo,
          userId: call.caller.userId,
          provider,
          method,
          terms: await termsFor(call, amount),
          minimum: await options.number('MinTopUp'),
          room: roomOf(account ?? { balance: 0, used: 0 }),
          expiresAt,
        },
      });
      if (result.kind === 'rejected') return result;
      const { state } = await commands.load(topUpDecider, topUpStreamId(tradeNo));
      if (state.status === 'absent') throw new Error('an order is gone that was just placed');
      // The first of two equal requests is the one that calls the provider.
      if (result.repeated && state.offer === null) return reject('topup.not-created');
      return { kind: 'placed', order: state.order, offer: state.offer } as const;
    },
  };
};
