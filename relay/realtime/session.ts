import type { RawData, WebSocket } from 'ws';
import type { RequestEnd } from '../../domain/account/events.ts';
import type { Timer } from '../../infra/ports/timers.ts';
import { checkTexts } from '../admission/sensitive-words.ts';
import { notTicking, type Tickable } from '../delivery/ticker.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { bytesOf, eventOf, type Frame } from './frames.ts';
import type { SessionAnswers } from './session-answers.ts';
import {
  clientClosed,
  relayStopping,
  sessionTimedOut,
  unreadableEvent,
  upstreamClosed,
} from './session-errors.ts';
import type { SessionPlan, SessionReservation, SessionSockets } from './session-plan.ts';
import { SessionTimeouts } from './session-timeouts.ts';
import type { MakeWire, SessionWire } from './session-wire.ts';
import { frameMask } from './shown-frame.ts';
import { TranscriptGrace } from './transcript-grace.ts';

/** Written and not yet taken by a peer; beyond it the other peer waits. */
const maxBuffered = 1_048_576;

/**
 * Joins a client and an upstream socket. Events are passed on as they arrive; those that begin or
 * end a response wait until it is recorded, so that each is charged once, whichever side closes
 * first.
 */
export class Session implements Tickable {
  private readonly core: RelayCore;
  private readonly plan: SessionPlan;
  private readonly sessionReservation: SessionReservation;
  private readonly client: WebSocket;
  private readonly upstream: WebSocket;
  private readonly shown: (frame: Frame) => Frame;
  private readonly wire: SessionWire;
  private readonly answers: SessionAnswers;
  private readonly onOver: () => void;
  private readonly received: () => readonly Frame[];
  private waiting: Frame[] = [];
  private pumping = false;
  private clientGone = false;
  private upstreamGone = false;
  private leaving = false;
  private over = false;
  private drainTimer: Timer | null = null;
  private readonly transcriptGrace: TranscriptGrace;
  private readonly timeouts: SessionTimeouts;
  tickerSlot = notTicking;

  constructor(
    core: RelayCore,
    plan: SessionPlan,
    sockets: SessionSockets & Readonly<{ makeWire: MakeWire; onOver: () => void }>,
  ) {
    this.core = core;
    this.timeouts = new SessionTimeouts(core.answerBounds);
    this.transcriptGrace = new TranscriptGrace(core, () => this.endSession());
    this.plan = plan;
    this.sessionReservation = plan.sessionReservation;
    this.client = sockets.client;
    this.upstream = sockets.upstream;
    this.onOver = sockets.onOver;
    this.shown = frameMask(plan, sockets.channel);
    this.received = sockets.received;
    const { channel, origin, tried, upstreamModel } = sockets;
    const facts = { channelId: channel.channelId, tried, upstreamModel };
    this.wire = sockets.makeWire({
      ...{ core, plan, facts, channel, origin },
      stop: (error) => this.finish(error, 'cut-off'),
      onAnswerDone: () => {
        if (!this.clientGone && !this.leaving) this.refill();
      },
    });
    this.answers = this.wire.answers;
  }

  /** `early`: what the caller sent so far; the first of it has gone up with the opening. */
  start([setup, ...early]: readonly Frame[] = []): void {
    const { client, upstream } = this;
    const noted = setup === undefined ? null : eventOf(setup.bytes);
    if (noted !== null) this.wire.fromClient(noted);
    this.core.ticker.add(this);
    this.waiting = [...this.received()];
    client.on('message', (data, isBinary) => this.fromClient(data, isBinary));
    client.on('pong', () => this.timeouts.clientSeen());
    client.on('ping', () => this.timeouts.clientSeen());
    client.on('close', () => this.onClientClose());
    upstream.on('message', (data, isBinary) => {
      this.timeouts.eventSeen();
      this.waiting.push({ bytes: bytesOf(data), isBinary });
      this.pump();
    });
    upstream.on('close', () => {
      this.upstreamGone = true;
      this.pump();
    });
    for (const socket of [client, upstream]) {
      socket.on('error', (err) => {
        const { requestId } = this.plan.incoming;
        this.core.logger.warn({ requestId, err }, 'a realtime socket failed');
      });
    }
    for (const { bytes, isBinary } of early) this.fromClient(bytes, isBinary);
    client.resume();
    upstream.resume();
    if (upstream.readyState === upstream.CLOSED) this.upstreamGone = true;
    if (client.readyState !== client.OPEN) this.onClientClose();
    else if (this.waiting.length > 0 || this.upstreamGone) this.pump();
  }

  onTick(ms: number): void {
    switch (this.timeouts.onTick(ms)) {
      case 'too-long':
        this.finish(sessionTimedOut, 'cut-off');
        break;
      case 'client-lost':
        this.client.terminate();
        break;
      case 'ping':
        for (const socket of [this.client, this.upstream]) {
          if (socket.readyState === socket.OPEN) socket.ping();
        }
    }
  }

  /** Ends once no response and no transcript is pending. */
  leave(): void {
    this.leaving = true;
    if (!this.over && !this.pumping) this.settleDown();
  }

  /** Ends now. */
  kill(): void {
    this.finish(relayStopping, 'cut-off');
  }

  private fromClient(data: RawData, isBinary: boolean): void {
    this.timeouts.clientSeen();
    this.timeouts.eventSeen();
    if (this.over || this.upstreamGone) return;
    const bytes = bytesOf(data);
    const event = this.holdsEvent(isBinary) ? eventOf(bytes) : null;
    const refused =
      event === null
        ? null
        : (checkTexts(this.core, this.plan.caller, event) ?? this.wire.fromClient(event));
    if (refused !== null) this.refuse(refused);
    else this.forward(this.upstream, this.client, { bytes, isBinary });
  }

  /** Ends the session where its protocol has no event for a refusal. */
  private refuse(error: ApiError): void {
    const notice = this.wire.refusal(error);
    if (notice !== null) this.client.send(notice);
    else this.finish(error, 'cut-off');
  }

  private holdsEvent(isBinary: boolean): boolean {
    return !isBinary || this.wire.readsBinary;
  }

  /** Backpressure: a sender is paused while the other side's buffer is full. */
  private forward(to: WebSocket, from: WebSocket, { bytes, isBinary }: Frame): void {
    if (to.readyState !== to.OPEN) return;
    to.send(bytes, { binary: isBinary }, () => {
      if (from.isPaused && !this.pumping && to.bufferedAmount < maxBuffered) from.resume();
    });
    if (to.bufferedAmount >= maxBuffered) from.pause();
  }

  /** Passes events of the provider strictly in order. */
  private pump(): void {
    if (this.pumping || this.over) return;
    this.pumping = true;
    this.drain()
      .catch((err: unknown) => {
        const { requestId } = this.plan.incoming;
        this.core.logger.error({ requestId, err }, 'a realtime session failed inside the relay');
        this.finish(unreadableEvent, 'upstream-broken');
      })
      .finally(() => {
        this.pumping = false;
        if (this.over) return;
        if (this.waiting.length > 0) this.pump();
        else this.settleDown();
      });
  }

  /** The queue is empty: the session continues or ends. */
  private settleDown(): void {
    const isLeft = this.clientGone || this.leaving;
    if (this.upstreamGone) this.finish(upstreamClosed, 'upstream-broken');
    else if (this.clientGone && this.answers.isOpen) this.cancelResponses();
    else if (isLeft && !this.answers.isOpen && !this.wire.isPending) this.endSession();
    else {
      if (isLeft && !this.answers.isOpen) this.transcriptGrace.wait();
      this.resumeUpstream();
    }
  }

  private resumeUpstream(): void {
    if (this.clientGone || this.client.bufferedAmount < maxBuffered) this.upstream.resume();
  }

  private endSession(): void {
    if (this.clientGone) this.finish(clientClosed, 'client-gone');
    else this.finish(relayStopping, 'cut-off');
  }

  private async drain(): Promise<void> {
    for (;;) {
      const next = this.waiting.shift();
      if (next === undefined || this.over) return;
      if (this.holdsEvent(next.isBinary)) {
        const handled = this.read(next.bytes);
        if (handled !== null) {
          this.upstream.pause();
          await handled;
        }
      }
      if (!this.over && !this.clientGone)
        this.forward(this.client, this.upstream, this.shown(this.wire.shown(next)));
      this.cutOff();
    }
  }

  /** Ends the session behind the event with which a response used up its money. */
  private cutOff(): void {
    const unfunded = this.over ? [] : this.answers.unfunded;
    if (unfunded.length === 0) return;
    if (!this.clientGone) for (const id of unfunded) this.client.send(this.wire.cutOff(id));
    this.finish(this.sessionReservation.refusal, 'cut-off');
  }

  private read(bytes: Buffer): Promise<void> | null {
    const event = eventOf(bytes);
    if (event !== null) return this.wire.fromProvider(event);
    this.finish(unreadableEvent, 'upstream-broken');
    return null;
  }

  /** Reserves for the next response; unfunded, the session ends after the current event. */
  private refill(): void {
    const end = (): void => {
      if (!this.answers.isOpen) this.finish(this.sessionReservation.refusal, 'cut-off');
    };
    const filled = (isFunded: boolean): void => {
      if (!isFunded) this.core.timers.setImmediate(end);
    };
    this.sessionReservation.fill().then(filled, () => filled(false));
  }

  private onClientClose(): void {
    if (this.clientGone) return;
    this.clientGone = true;
    if (!this.over && !this.pumping) this.settleDown();
  }

  /**
   * Cancelled responses are charged by the provider's report if it arrives in time, else counted.
   */
  private cancelResponses(): void {
    const { core, upstream } = this;
    upstream.resume();
    if (this.drainTimer !== null) return;
    const end = (): void => this.finish(clientClosed, 'client-gone');
    this.drainTimer = core.timers.setTimeout(end, core.settings.drainMs);
    for (const id of this.answers.open) {
      const event = this.wire.cancel(id);
      if (event === null || upstream.readyState !== upstream.OPEN) break;
      upstream.send(event);
    }
  }

  /** Gives each open response its outcome and releases the reservation. */
  private finish(error: ApiError, end: RequestEnd): void {
    if (this.over) return;
    this.over = true;
    this.waiting = [];
    this.core.ticker.remove(this);
    this.core.timers.clear(this.drainTimer);
    this.transcriptGrace.close();
    this.sessionReservation.close();
    const isPlainEnd = error === upstreamClosed && !this.answers.isOpen;
    const open = this.answers.close();
    this.upstream.close();
    void Promise.allSettled(open.map((response) => response.broken(end, error))).then(() => {
      const errorType = end === 'upstream-broken' && !isPlainEnd ? end : undefined;
      this.plan.incoming.trace?.ended(101, errorType);
      this.onOver();
      this.upstream.terminate();
      if (this.clientGone) this.client.terminate();
      else if (isPlainEnd) this.client.close(1000);
      else {
        const { event, code, reason } = this.wire.end(error);
        if (event !== null) this.client.send(event);
        this.client.close(code, reason);
      }
    });
  }
}
