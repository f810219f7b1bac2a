import type { RawData, WebSocket } from 'ws';
import type { RequestEnd } from '../../domain/account/events.ts';
import { identify, isApiError } from '../admission/caller.ts';
import { type Paced, unpaced } from '../exchange/pace.ts';
import { type ApiError, gatewayError } from '../ingress/api-error.ts';
import type { RelayCore } from '../relay-core.ts';
import { bytesOf, errorEvent, eventOf, type Fields, isFields, textAt } from './frames.ts';
import { Heard } from './heard.ts';
import { type Joined, type Purse, type Terms, turnOf } from './terms.ts';
import type { Turn, TurnHost } from './turn.ts';

/** Written and not yet taken by a peer; beyond it the other peer waits. */
const mostBuffered = 1_048_576;
const pingEveryMs = 25_000;
/** Answers that were booked; a provider may say the end of one twice. */
const mostEnded = 256;

const broke = gatewayError(502, 'upstream_disconnected', 'The upstream closed the session');
const unreadable = gatewayError(502, 'bad_response_body', 'The upstream sent what is no event');
const silent = gatewayError(504, 'session_timeout', 'The session was silent or open for too long');
const leaving = gatewayError(503, 'relay_stopping', 'The relay is stopping; open a new session');
const gone = gatewayError(499, 'client_closed_request', 'The client went away');
const failedTurn = gatewayError(502, 'response_failed', 'The upstream failed on this answer');
const noScript = gatewayError(
  400,
  'session_type_not_allowed',
  'Sessions that only write down what is said are not offered here',
);

/** What a session would be free of: nothing is ever answered in it. */
const isTranscription = (event: Fields): boolean =>
  event.type === 'transcription_session.update' ||
  (event.type === 'session.update' && textAt(event.session, 'type') === 'transcription');

/**
 * Two joined sockets. Events pass as they come; those that begin and end an answer wait until the
 * books have it, so that each answer is paid for once, whoever goes away.
 */
export class Session implements Paced {
  private readonly core: RelayCore;
  private readonly terms: Terms;
  private readonly purse: Purse;
  private readonly client: WebSocket;
  private readonly upstream: WebSocket;
  private readonly host: TurnHost;
  private readonly heard = new Heard();
  private readonly turns = new Map<string, Turn>();
  private readonly ended = new Set<string>();
  private readonly onOver: () => void;
  private waiting: Readonly<{ bytes: Buffer; isBinary: boolean }>[] = [];
  private pumping = false;
  private hasBegun = false;
  private clientGone = false;
  private upstreamGone = false;
  private leaving = false;
  private over = false;
  private drainTimer: NodeJS.Timeout | null = null;
  private ageMs = 0;
  private quietMs = 0;
  private pingMs = 0;
  private deafMs = 0;
  paceSlot = unpaced;

  constructor(core: RelayCore, terms: Terms, joined: Joined & Readonly<{ onOver: () => void }>) {
    this.core = core;
    this.terms = terms;
    this.purse = terms.purse;
    this.client = joined.client;
    this.upstream = joined.upstream;
    this.onOver = joined.onOver;
    const { tried, upstreamModel } = joined;
    const { channelId } = joined.channel;
    this.host = { core, heard: this.heard, facts: { channelId, tried, upstreamModel } };
  }

  start(): void {
    const { client, upstream } = this;
    this.core.pace.add(this);
    client.on('message', (data, isBinary) => this.fromClient(data, isBinary));
    client.on('pong', () => this.alive());
    client.on('ping', () => this.alive());
    client.on('close', () => this.onClientClose());
    upstream.on('message', (data, isBinary) => {
      this.quietMs = 0;
      this.waiting.push({ bytes: bytesOf(data), isBinary });
      this.pump();
    });
    upstream.on('close', () => {
      this.upstreamGone = true;
      this.pump();
    });
    for (const socket of [client, upstream]) {
      socket.on('error', (err) => {
        const { requestId } = this.terms.incoming;
        this.core.logger.warn({ requestId, err }, 'a realtime socket failed');
      });
    }
    upstream.resume();
    if (client.readyState !== client.OPEN) this.onClientClose();
  }

  beat(ms: number): void {
    this.ageMs += ms;
    this.quietMs += ms;
    this.deafMs += ms;
    this.pingMs += ms;
    const { longestMs, idleMs } = this.core.answerBounds;
    if (this.ageMs > longestMs || this.quietMs > idleMs) {
      this.finish(silent, 'cut-off');
      return;
    }
    if (this.deafMs > 3 * pingEveryMs) this.client.terminate();
    if (this.pingMs < pingEveryMs) return;
    this.pingMs = 0;
    for (const socket of [this.client, this.upstream]) {
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  }

  /** Ends once no answer is on its way. */
  leave(): void {
    this.leaving = true;
    if (this.turns.size === 0) this.finish(leaving, 'cut-off');
  }

  /** Ends now. */
  kill(): void {
    this.finish(leaving, 'cut-off');
  }

  private alive(): void {
    this.deafMs = 0;
  }

  private fromClient(data: RawData, isBinary: boolean): void {
    this.alive();
    this.quietMs = 0;
    if (this.over || this.upstreamGone) return;
    const bytes = bytesOf(data);
    const event = isBinary ? null : eventOf(bytes);
    if (event !== null && isTranscription(event)) {
      this.client.send(errorEvent(noScript, this.terms.incoming.requestId));
      return;
    }
    if (event !== null) this.heard.fromClient(event);
    this.hand(this.upstream, this.client, { bytes, isBinary });
  }

  /** Whoever sends faster than the other side takes has to wait. */
  private hand(
    to: WebSocket,
    from: WebSocket,
    { bytes, isBinary }: Readonly<{ bytes: Buffer; isBinary: boolean }>,
  ): void {
    if (to.readyState !== to.OPEN) return;
    to.send(bytes, { binary: isBinary }, () => {
      if (from.isPaused && !this.pumping && to.bufferedAmount < mostBuffered) from.resume();
    });
    if (to.bufferedAmount >= mostBuffered) from.pause();
  }

  /** Events of the provider in their order, one after the other. */
  private pump(): void {
    if (this.pumping || this.over) return;
    this.pumping = true;
    this.drain()
      .catch((err: unknown) => {
        const { requestId } = this.terms.incoming;
        this.core.logger.error({ requestId, err }, 'a realtime session failed inside the relay');
        this.finish(unreadable, 'upstream-broken');
      })
      .finally(() => {
        this.pumping = false;
        if (this.over) return;
        if (this.waiting.length > 0) this.pump();
        else this.settleDown();
      });
  }

  /** Nothing waits to be passed: does the session go on? */
  private settleDown(): void {
    if (this.upstreamGone) this.finish(broke, 'upstream-broken');
    else if (this.clientGone && this.turns.size > 0) this.stopAnswers();
    else if (this.clientGone) this.finish(gone, 'client-gone');
    else if (this.leaving && this.turns.size === 0) this.finish(leaving, 'cut-off');
    else if (this.client.bufferedAmount < mostBuffered) this.upstream.resume();
  }

  private async drain(): Promise<void> {
    for (;;) {
      const next = this.waiting.shift();
      if (next === undefined || this.over) return;
      if (!next.isBinary) {
        const asked = this.read(next.bytes);
        if (asked !== null) {
          this.upstream.pause();
          await asked;
        }
      }
      if (!this.over && !this.clientGone) this.hand(this.client, this.upstream, next);
    }
  }

  private read(bytes: Buffer): Promise<void> | null {
    const event = eventOf(bytes);
    if (event !== null) return this.hear(event);
    this.finish(unreadable, 'upstream-broken');
    return null;
  }

  /** What must be done before an event may pass; null: nothing. */
  private hear(event: Fields): Promise<void> | null {
    const type = textAt(event, 'type');
    if (type === 'session.created' || type === 'session.updated') this.heard.session(event.session);
    if (type === 'response.created') return this.begin(textAt(event.response, 'id'));
    if (type === 'response.done') return this.complete(event.response);
    const turn = this.turns.get(textAt(event, 'response_id')) ?? this.onlyTurn;
    if (turn !== null && !turn.read(event, type)) this.finish(this.purse.refusal, 'cut-off');
    return null;
  }

  private get onlyTurn(): Turn | null {
    const [turn] = this.turns.values();
    return this.turns.size === 1 ? (turn ?? null) : null;
  }

  private async begin(id: string): Promise<void> {
    if (this.turns.has(id) || this.ended.has(id)) return;
    const barred = await this.bar();
    const reservation = barred === null ? await this.purse.take() : null;
    if (reservation === null || this.over) {
      if (reservation !== null) this.core.leaseBook.settle(reservation, 0);
      this.finish(barred ?? this.purse.refusal, 'cut-off');
      return;
    }
    const turn = turnOf(this.host, this.terms, { reservation, isFirst: !this.hasBegun });
    this.hasBegun = true;
    this.turns.set(id, turn);
    turn.start();
  }

  /** A key that was switched off while the session ran opens no more answers. */
  private async bar(): Promise<ApiError | null> {
    const caller = await identify(this.core, this.terms.incoming.req, this.core.clock().getTime());
    return isApiError(caller) ? caller : null;
  }

  private async complete(response: unknown): Promise<void> {
    const id = textAt(response, 'id');
    if (this.ended.has(id)) return;
    if (!this.turns.has(id)) await this.begin(id);
    const turn = this.turns.get(id);
    if (turn === undefined || this.over) return;
    this.turns.delete(id);
    if (id !== '') this.ended.add(id);
    for (const old of this.ended) if (this.ended.size > mostEnded) this.ended.delete(old);
    const usage = isFields(response) ? response.usage : undefined;
    const isFailed = textAt(response, 'status') === 'failed' && !isFields(usage);
    const amount = isFailed ? await turn.failed(failedTurn) : await turn.done(usage);
    this.purse.spent(amount);
    if (!this.over && !this.clientGone && !this.leaving) this.refill();
  }

  /** Money for the next answer; without it the session ends after the event that passes now. */
  private refill(): void {
    const end = (): void => {
      if (this.turns.size === 0) this.finish(this.purse.refusal, 'cut-off');
    };
    this.purse.fill().then(
      (isFunded) => {
        if (!isFunded) setImmediate(end);
      },
      () => setImmediate(end),
    );
  }

  private onClientClose(): void {
    if (this.clientGone) return;
    this.clientGone = true;
    if (!this.over && !this.pumping) this.settleDown();
  }

  /** What was said so far is told by the provider, if it is quick; else it is counted. */
  private stopAnswers(): void {
    const { upstream } = this;
    upstream.resume();
    if (this.drainTimer !== null) return;
    this.drainTimer = setTimeout(
      () => this.finish(gone, 'client-gone'),
      this.core.settings.drainMs,
    );
    for (const id of this.turns.keys()) {
      if (upstream.readyState !== upstream.OPEN) break;
      upstream.send(JSON.stringify({ type: 'response.cancel', response_id: id }));
    }
  }

  /** Every answer on its way has its outcome, and nothing is held any more. */
  private finish(error: ApiError, end: RequestEnd): void {
    if (this.over) return;
    this.over = true;
    this.waiting = [];
    this.core.pace.remove(this);
    if (this.drainTimer !== null) clearTimeout(this.drainTimer);
    this.purse.close();
    const isPlainEnd = error === broke && this.turns.size === 0;
    const open = [...this.turns.values()];
    this.turns.clear();
    this.upstream.close();
    void Promise.allSettled(open.map((turn) => turn.broken(end, error))).then(() => {
      this.onOver();
      this.upstream.terminate();
      if (this.clientGone) this.client.terminate();
      else if (isPlainEnd) this.client.close(1000);
      else this.sayWhy(error);
    });
  }

  private sayWhy(error: ApiError): void {
    this.client.send(errorEvent(error, this.terms.incoming.requestId));
    this.client.close(error.status >= 500 ? 1011 : 1008, error.code?.toString() ?? '');
  }
}
