import type { WebSocket } from 'ws';
import { estimate } from '../../domain/pricing/estimate.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type { ChannelId, RequestId } from '../../domain/shared/ids.ts';
import type { ResponseTrace, SessionTrace } from '../../infra/ports/tracing.ts';
import type { Route } from '../admission/access.ts';
import type { Admitted, Incoming } from '../admission/admitted.ts';
import type { CallPermit } from '../admission/call-limits/call-limiter.ts';
import type { Caller } from '../admission/caller.ts';
import type { Reservation } from '../admission/lease-book.ts';
import { refusalError } from '../admission/refusals.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { TextCall } from '../protocol/calls.ts';
import { scanned } from '../protocol/normalise.ts';
import type { RealtimeCall } from '../providers/shared/realtime.ts';
import type { Frame } from './frames.ts';
import type { SessionProtocol } from './session-channel.ts';
import { type ResponseHost, SessionResponse } from './session-response.ts';

/** The request that becomes a session. */
export type SessionIncoming = Incoming & Readonly<{ trace: SessionTrace | null }>;

/** A session as its caller requests it. */
export type SessionAsk = Readonly<{
  protocol: SessionProtocol;
  /** As records have it: without a query, which may hold a key. */
  path: string;
  call: RealtimeCall;
  /** The session resumes one that this channel made; null: it is new. */
  madeBy: ChannelId | null;
  /** What is sent before a provider accepts the session; null: the address contains everything. */
  setup: ((upstreamModel: string) => string) | null;
}>;

/** What admission decided for a session. */
export type SessionPlan = Readonly<{
  incoming: SessionIncoming;
  caller: Caller;
  ask: SessionAsk;
  group: string;
  route: Route;
  channel: UpstreamChannel;
  sessionReservation: SessionReservation;
  /** What the session holds of limits while it lasts; null: it is under none. */
  permit: CallPermit | null;
}>;

export type SessionSockets = Readonly<{
  client: WebSocket;
  upstream: WebSocket;
  channel: UpstreamChannel;
  tried: readonly ChannelId[];
  upstreamModel: string;
  /** Scheme, host and port of the provider. */
  origin: string;
  /** What the provider sent while the session was opened. */
  received: () => readonly Frame[];
}>;

/** Holds the reservation for the next response of a session before it begins. */
export class SessionReservation {
  private readonly core: RelayCore;
  private readonly caller: Caller;
  private readonly perResponse: number;
  private quoteNow: Quote;
  private held: Reservation | null = null;
  private requesting: Promise<boolean> | null = null;
  private lastAmount = 0;
  private closed = false;
  refusal: ApiError;

  constructor(core: RelayCore, caller: Caller, quote: Quote) {
    this.core = core;
    this.caller = caller;
    this.quoteNow = quote;
    this.perResponse = estimate(quote, {
      promptTokens: 0,
      maxOutputTokens: null,
      preConsumedTokens: this.coveredTokens,
    });
    this.refusal = refusalError(
      { kind: 'refused', refusal: 'balance-exhausted', balance: 0, tokenRemain: null },
      this.perResponse,
    );
  }

  get quote(): Quote {
    return this.quoteNow;
  }

  get coveredTokens(): number {
    return this.core.options.current().prices.preConsumedTokens;
  }

  /**
   * false: another response is not funded; `refusal` has the error. A response that begins may take
   * the reservation before its requester reads the answer.
   */
  async fill(): Promise<boolean> {
    if (this.held !== null) return true;
    this.requesting ??= this.ask().finally(() => {
      this.requesting = null;
    });
    return this.requesting;
  }

  /** For a response that begins; null: not funded. */
  async take(): Promise<Reservation | null> {
    await this.fill();
    const taken = this.held;
    this.held = null;
    return taken;
  }

  /** A price per call is charged with the first response (infra/reference/money-rules.md, section 9.2). */
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

  /** Each response reads the whole conversation, so it costs about what the previous one did. */
  private get need(): number {
    const isFree = this.quoteNow.kind === 'price' && this.quoteNow.modelPrice === '0';
    return isFree ? 0 : Math.max(this.perResponse, this.lastAmount);
  }

  private async ask(): Promise<boolean> {
    const { account, tokenId } = this.caller;
    const { leaseBook } = this.core;
    const { need } = this;
    const request = { userId: account.userId, tokenId, need };
    const result = await leaseBook.reserve(request, () => this.closed);
    if (result.kind === 'refused') {
      this.refusal = refusalError(result, need);
      return false;
    }
    if (this.closed) leaseBook.settle(result.reservation, 0);
    else this.held = result.reservation;
    return !this.closed;
  }
}

const empty = scanned(Buffer.from('{}'));

const callOf = ({ ask }: SessionPlan): TextCall => {
  if (empty === null) throw new Error('an empty object is JSON');
  return {
    operation: 'chat',
    protocol: ask.protocol,
    path: ask.path,
    clientPath: ask.path,
    model: ask.call.model,
    body: empty.body,
    scan: empty.scan,
    isStream: true,
    contentType: 'application/json',
    accept: '',
    isSession: true,
  };
};

/** The session holds the permit; its responses add the tokens that they take. */
const permitOf = ({ permit }: SessionPlan): CallPermit | null =>
  permit === null ? null : { ...permit, ended: permit.used, cancelled: () => {} };

const nextRequestId = (core: RelayCore, { incoming }: SessionPlan, nowMs: number): RequestId => {
  const requestId = core.nextRequestId(nowMs);
  return incoming.trace?.requestIdWithin(requestId) ?? requestId;
};

/** A response, or the failure to open a session, as a request with a separate record. */
export const admittedOf = (
  core: RelayCore,
  plan: SessionPlan,
  { reservation, isFirst }: Readonly<{ reservation: Reservation; isFirst: boolean }>,
): Admitted => {
  const { incoming, caller, group, route, channel, sessionReservation } = plan;
  const call = callOf(plan);
  const nowMs = core.clock().getTime();
  return {
    ...incoming,
    requestId: isFirst ? incoming.requestId : nextRequestId(core, plan, nowMs),
    caller,
    call,
    path: call.clientPath,
    group,
    route,
    channel,
    quote: sessionReservation.quote,
    allowanceOf: core.options.current().openCalls.allowanceOf,
    reservation,
    permit: permitOf(plan),
    coveredTokens: sessionReservation.coveredTokens,
    wantsUsage: false,
    startedAtMs: nowMs,
  };
};

/** Begins the span of a request that is charged within a session. */
export const responseTrace = (
  { facts, channel, origin }: ResponseHost,
  { incoming }: SessionPlan,
  { requestId, call }: Admitted,
): ResponseTrace | null => {
  const { operation, protocol } = call;
  const { channelId, type: channelType } = channel;
  const attempt = { operation, protocol, channelType, channelId, origin };
  return incoming.trace?.responded(requestId, { ...attempt, model: facts.upstreamModel }) ?? null;
};

export const responseOf = (
  host: ResponseHost,
  plan: SessionPlan,
  funds: Parameters<typeof admittedOf>[2],
): SessionResponse => {
  const admitted = admittedOf(host.core, plan, funds);
  return new SessionResponse(host, admitted, responseTrace(host, plan, admitted));
};
