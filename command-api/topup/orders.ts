import type { Metadata } from '../../domain/shared/event.ts';
import { type TopUpState, topUpDecider } from '../../domain/topup/decider.ts';
import type { TopUpPaid, TradeNo } from '../../domain/topup/events.ts';
import { isTradeNo, topUpStreamId } from '../../domain/topup/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { Committed } from '../commands/command-result.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Call } from '../http/call.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { uuidFrom } from '../shared/uuid.ts';
import { createLantu } from './lantu.ts';
import { readPaymentSettings } from './payment-settings.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  vault: Vault;
  clock: Clock;
  logger: Logger;
  commands: CommandHandler;
  options: SiteOptions;
}>;

export type Payment = Readonly<{
  tradeNo: TradeNo;
  provider: TopUpPaid['data']['provider'];
  providerReference: string;
  amountMinor: number;
  source: TopUpPaid['data']['source'];
}>;
/** The request or the run that led here, and the source of the report. */
export type Because = Readonly<{ metadata: Metadata; ip?: string }>;
type Existing = Exclude<TopUpState, { status: 'absent' }>;
const nothing: Committed<TopUpPaid> = {
  kind: 'accepted',
  events: [],
  position: null,
  repeated: false,
};

/** A provider is queried about one order at most this often, however many poll. */
const askAgainSeconds = 5;
/** After its time an order is still queried for this long when its state is read. */
const curiousMs = 24 * 60 * 60 * 1_000;

/** The command's id is made of what was paid, so that the same word twice is one command. */
const paymentMetadata = (
  { tradeNo, provider, providerReference, amountMinor, source }: Payment,
  { metadata, ip }: Because,
): Metadata => {
  const { commandHash: _, ...rest } = metadata;
  const name = `topup/${tradeNo}/${provider}/${providerReference}/${amountMinor}/${source}`;
  const actor = { kind: 'payment', id: provider, ...(ip === undefined ? {} : { ip }) } as const;
  return { ...rest, actor, causationId: metadata.commandId, commandId: uuidFrom(name) };
};

/** A placed top-up order: paid once, expired, queried. */
export const createOrders = (deps: Deps) => {
  const { bus, clock, commands, eventStore, logger } = deps;
  const asked = bus.keyValue('topup-asked', { ttlSeconds: askAgainSeconds });

  const load = async (tradeNo: string): Promise<TopUpState> => {
    if (!isTradeNo(tradeNo)) return topUpDecider.initialState;
    return (await commands.load(topUpDecider, topUpStreamId(tradeNo), { fresh: true })).state;
  };

  /** Received money is credited once, however often and from wherever it is reported. */
  const confirm = (payment: Payment, because: Because) => {
    const { tradeNo, provider, providerReference, amountMinor, source } = payment;
    const paid = { amountMinor, currency: 'CNY' } as const;
    return commands.handle(topUpDecider, topUpStreamId(tradeNo), {
      type: 'ConfirmTopUp',
      data: { tradeNo, provider, providerReference, paid, source },
      metadata: paymentMetadata(payment, because),
    });
  };

  const expire = (tradeNo: TradeNo, because: Because) => {
    const { commandHash: _, ...metadata } = because.metadata;
    return commands.handle(topUpDecider, topUpStreamId(tradeNo), {
      type: 'ExpireTopUp',
      data: { tradeNo, reason: 'time' },
      metadata: {
        ...metadata,
        actor: { kind: 'system', id: 'topup-expiry' },
        causationId: metadata.commandId,
        commandId: uuidFrom(`topup/${tradeNo}/expired`),
      },
    });
  };

  type Asked = Awaited<ReturnType<typeof confirm>> | 'unpaid' | 'unknown';

  /** Queries the provider, so that a lost notice does not lose the payment. */
  const ask = async ({ status, order }: Existing, because: Because): Promise<Asked> => {
    const { lantu } = await readPaymentSettings(deps);
    if (status === 'paid' || order.provider !== 'lantu' || lantu === null) return 'unknown';
    const { tradeNo } = order;
    const reply = await createLantu(lantu).query(tradeNo, Math.floor(clock().getTime() / 1_000));
    if (reply.kind !== 'done') {
      logger.warn(
        { tradeNo, ...reply },
        'the payment provider could not be queried about an order',
      );
      return 'unknown';
    }
    if (!reply.data.paid) return 'unpaid';
    const { reference: providerReference, amountMinor } = reply.data;
    if (amountMinor === null) return 'unknown';
    const about = { tradeNo, provider: order.provider, providerReference, amountMinor } as const;
    const result = await confirm({ ...about, source: 'query' }, because);
    if (result.kind === 'rejected') {
      logger.error({ tradeNo, code: result.code }, 'a payment does not fit its order');
    }
    return result;
  };

  const isDue = (expiresAt: string): boolean => clock().toISOString() >= expiresAt;

  /** One of all concurrent readers queries the provider; the others get its result. */
  const mayAsk = async ({ tradeNo, expiresAt }: { tradeNo: TradeNo; expiresAt: string }) => {
    if (clock().getTime() - Date.parse(expiresAt) > curiousMs) return false;
    return asked.create(tradeNo, true);
  };

  /** Place of the payment in the log, so that a reply can wait until it is credited. */
  const paymentOf = async (tradeNo: TradeNo): Promise<Committed<TopUpPaid> | null> => {
    for await (const { event, position } of eventStore.readStream<TopUpPaid>(
      topUpStreamId(tradeNo),
    )) {
      if (event.type !== 'TopUpPaid') continue;
      return { kind: 'accepted', events: [event], position, repeated: true };
    }
    return null;
  };

  /** Result of a query for an unpaid order. */
  const refresh = async (call: Call, state: Existing): Promise<void> => {
    const because = { metadata: call.metadata };
    const answer = (await mayAsk(state.order)) ? await ask(state, because) : 'unknown';
    const isPaid = typeof answer !== 'string' && answer.kind === 'accepted';
    if (isPaid || state.status !== 'pending' || !isDue(state.order.expiresAt)) return;
    call.note(await expire(state.order.tradeNo, because));
  };

  return {
    load,
    confirm,

    /** An order as it is now: a lost notice is made up for, and its time may have run out. */
    follow: async (call: Call, tradeNo: string): Promise<TopUpState> => {
      const found = await load(tradeNo);
      if (found.status === 'absent') return found;
      const { order } = found;
      if (order.userId !== call.caller.userId) return topUpDecider.initialState;
      if (found.status !== 'paid') await refresh(call, found);
      const state = await load(tradeNo);
      if (state.status === 'paid') call.note((await paymentOf(order.tradeNo)) ?? nothing);
      return state;
    },

    /** The end of an order that was not paid in time; queries once more before. */
    close: async (tradeNo: TradeNo, because: Because): Promise<'paid' | 'expired' | 'kept'> => {
      const state = await load(tradeNo);
      if (state.status !== 'pending' || !isDue(state.order.expiresAt)) return 'kept';
      const answer = await ask(state, because);
      if (typeof answer !== 'string' && answer.kind === 'accepted') return 'paid';
      const result = await expire(tradeNo, because);
      return result.kind === 'accepted' && result.events.length > 0 ? 'expired' : 'kept';
    },
  };
};
export type Orders = ReturnType<typeof createOrders>;
