import type { WebSocket } from 'ws';
import { estimate } from '../../domain/pricing/estimate.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Route } from '../admission/access.ts';
import type { Caller } from '../admission/caller.ts';
import type { Reservation } from '../admission/lease-book.ts';
import type { Admitted, Incoming } from '../exchange/admitted.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { scanned } from '../ingress/normalise.ts';
import { refusalError } from '../ingress/refusals.ts';
import type { RealtimeAsk } from '../providers/realtime.ts';
import type { TextCall } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { Turn, type TurnHost } from './turn.ts';

/** What was agreed on for a session. */
export type Terms = Readonly<{
  incoming: Incoming;
  caller: Caller;
  ask: RealtimeAsk;
  group: string;
  route: Route;
  channel: UpstreamChannel;
  purse: Purse;
}>;

export type Joined = Readonly<{
  client: WebSocket;
  upstream: WebSocket;
  channel: UpstreamChannel;
  tried: readonly ChannelId[];
  upstreamModel: string;
}>;

/** The money for the next answer of a session, set aside before it begins. */
export class Purse {
  private readonly core: RelayCore;
  private readonly caller: Caller;
  private readonly perTurn: number;
  private quoteNow: Quote;
  private held: Reservation | null = null;
  private asking: Promise<void> | null = null;
  private lastAmount = 0;
  private closed = false;
  refusal: ApiError;

  constructor(core: RelayCore, caller: Caller, quote: Quote) {
    this.core = core;
    this.caller = caller;
    this.quoteNow = quote;
    this.perTurn = estimate(quote, {
      promptTokens: 0,
      maxOutputTokens: null,
      preConsumedTokens: this.coveredTokens,
    });
    this.refusal = refusalError(
      { kind: 'refused', refusal: 'balance-exhausted', balance: 0, tokenRemain: null },
      this.perTurn,
    );
  }

  get quote(): Quote {
    return this.quoteNow;
  }

  get coveredTokens(): number {
    return this.core.options.current().prices.preConsumedTokens;
  }

  /** false: there is no money for another answer; `refusal` says why. */
  async fill(): Promise<boolean> {
    if (this.held !== null) return true;
    this.asking ??= this.ask().finally(() => {
      this.asking = null;
    });
    await this.asking;
    return this.held !== null;
  }

  /** For an answer that begins; null: there is none. */
  async take(): Promise<Reservation | null> {
    await this.fill();
    const taken = this.held;
    this.held = null;
    return taken;
  }

  /** A session paid by the call is paid with its first answer (relay sheet, section 33). */
  spent(amount: number): void {
    this.lastAmount = Math.max(this.lastAmount, amount);
    if (this.quoteNow.kind === 'price' && amount > 0) {
      this.quoteNow = { ...this.quoteNow, modelPrice: '0' };
      this.lastAmount = 0;
    }
  }

  close(): void {
    this.closed = true;
    if (this.held !== null) this.core.leaseBook.settle(this.held, 0);
    this.held = null;
  }

  /** An answer costs about what the one before it did: each hears all that was said. */
  private get need(): number {
    const isFree = this.quoteNow.kind === 'price' && this.quoteNow.modelPrice === '0';
    return isFree ? 0 : Math.max(this.perTurn, this.lastAmount);
  }

  private async ask(): Promise<void> {
    const { account, tokenId } = this.caller;
    const { leaseBook } = this.core;
    const { need } = this;
    const result = await leaseBook.reserve(account.userId, tokenId, need);
    if (result.kind === 'refused') this.refusal = refusalError(result, need);
    else if (this.closed) leaseBook.settle(result.reservation, 0);
    else this.held = result.reservation;
  }
}

const empty = scanned(Buffer.from('{}'));

const callOf = ({ incoming, ask }: Terms): TextCall => {
  if (empty === null) throw new Error('an empty object is JSON');
  const url = incoming.req.url ?? '';
  return {
    operation: 'chat',
    protocol: 'openai',
    path: url,
    clientPath: url.split('?', 1)[0] ?? '',
    model: ask.model,
    body: empty.body,
    scan: empty.scan,
    isStream: true,
    contentType: 'application/json',
    accept: '',
    isSession: true,
  };
};

/** A session's answer, or its failure to begin, as the books see requests. */
export const admittedOf = (
  core: RelayCore,
  terms: Terms,
  { reservation, isFirst }: Readonly<{ reservation: Reservation; isFirst: boolean }>,
): Admitted => {
  const { incoming, caller, group, route, channel, purse } = terms;
  const call = callOf(terms);
  const nowMs = core.clock().getTime();
  return {
    ...incoming,
    requestId: isFirst ? incoming.requestId : core.nextRequestId(nowMs),
    caller,
    call,
    path: call.clientPath,
    group,
    route,
    channel,
    quote: purse.quote,
    reservation,
    coveredTokens: purse.coveredTokens,
    wantsUsage: false,
    startedAtMs: nowMs,
  };
};

export const turnOf = (
  host: TurnHost,
  terms: Terms,
  funds: Parameters<typeof admittedOf>[2],
): Turn => new Turn(host, admittedOf(host.core, terms, funds));
