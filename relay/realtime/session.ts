import type { RawData, WebSocket } from 'ws';
import type { RequestEnd } from '../../domain/account/events.ts';
import { discreetAnswer } from '../exchange/discretion.ts';
import { type Paced, unpaced } from '../exchange/pace.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { tellsOfError } from '../metering/usage-scan.ts';
import type { RelayCore } from '../relay-core.ts';
import type { UpstreamChannel } from '../routing/upstream-channel.ts';
import { Answers } from './answers.ts';
import { broke, gone, leaving, noScript, silent, unreadable } from './ends.ts';
import { bytesOf, errorEvent, eventOf, isTranscription } from './frames.ts';
import { Heard } from './heard.ts';
import { LastWords } from './last-words.ts';
import type { Joined, Purse, Terms } from './terms.ts';
import { Watch } from './watch.ts';

type Frame = Readonly<{ bytes: Buffer; isBinary: boolean }>;

/** Written and not yet taken by a peer; beyond it the other peer waits. */
const mostBuffered = 1_048_576;

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
  private readonly channel: UpstreamChannel;
  private readonly heard = new Heard();
  private readonly answers: Answers;
  private readonly onOver: () => void;
  private waiting: Frame[] = [];
  private pumping = false;
  private clientGone = false;
  private upstreamGone = false;
  private leaving = false;
  private over = false;
  private drainTimer: NodeJS.Timeout | null = null;
  private readonly lastWords: LastWords;
  private readonly watch: Watch;
  paceSlot = unpaced;

  constructor(core: RelayCore, terms: Terms, joined: Joined & Readonly<{ onOver: () => void }>) {
    this.core = core;
    this.watch = new Watch(core.answerBounds);
    this.lastWords = new LastWords(core, () => this.endLeft());
    this.terms = terms;
    this.purse = terms.purse;
    this.client = joined.client;
    this.upstream = joined.upstream;
    this.onOver = joined.onOver;
    this.channel = joined.channel;
    const { tried, upstreamModel } = joined;
    const { channelId } = joined.channel;
    this.answers = new Answers({
      host: { core, heard: this.heard, facts: { channelId, tried, upstreamModel } },
      terms,
      stop: (error) => this.finish(error, 'cut-off'),
      onAnswered: () => {
        if (!this.clientGone && !this.leaving) this.refill();
      },
    });
  }

  start(): void {
    const { client, upstream } = this;
    this.core.pace.add(this);
    client.on('message', (data, isBinary) => this.fromClient(data, isBinary));
    client.on('pong', () => this.watch.alive());
    client.on('ping', () => this.watch.alive());
    client.on('close', () => this.onClientClose());
    upstream.on('message', (data, isBinary) => {
      this.watch.spoken();
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
    switch (this.watch.beat(ms)) {
      case 'too-long':
        this.finish(silent, 'cut-off');
        break;
      case 'deaf':
        this.client.terminate();
        break;
      case 'ping':
        for (const socket of [this.client, this.upstream]) {
          if (socket.readyState === socket.OPEN) socket.ping();
        }
    }
  }

  /** Ends once no answer and no transcript is on its way. */
  leave(): void {
    this.leaving = true;
    if (!this.over && !this.pumping) this.settleDown();
  }

  /** Ends now. */
  kill(): void {
    this.finish(leaving, 'cut-off');
  }

  private get isAnswering(): boolean {
    return this.answers.open.length > 0;
  }

  private fromClient(data: RawData, isBinary: boolean): void {
    this.watch.alive();
    this.watch.spoken();
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
  private hand(to: WebSocket, from: WebSocket, { bytes, isBinary }: Frame): void {
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
    const isLeft = this.clientGone || this.leaving;
    if (this.upstreamGone) this.finish(broke, 'upstream-broken');
    else if (this.clientGone && this.isAnswering) this.stopAnswers();
    else if (isLeft && !this.isAnswering && !this.heard.awaited.isAny) this.endLeft();
    else {
      if (isLeft && !this.isAnswering) this.lastWords.wait();
      if (this.clientGone || this.client.bufferedAmount < mostBuffered) this.upstream.resume();
    }
  }

  private endLeft(): void {
    if (this.clientGone) this.finish(gone, 'client-gone');
    else this.finish(leaving, 'cut-off');
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
      if (!this.over && !this.clientGone) this.hand(this.client, this.upstream, this.told(next));
    }
  }

  /** An error goes on without what it gives away. */
  private told(frame: Frame): Frame {
    if (frame.isBinary || !tellsOfError(frame.bytes)) return frame;
    return { ...frame, bytes: discreetAnswer(this.channel, frame.bytes) };
  }

  private read(bytes: Buffer): Promise<void> | null {
    const event = eventOf(bytes);
    if (event !== null) return this.answers.hear(event);
    this.finish(unreadable, 'upstream-broken');
    return null;
  }

  /** Money for the next answer; without it the session ends after the event that passes now. */
  private refill(): void {
    const end = (): void => {
      if (!this.isAnswering) this.finish(this.purse.refusal, 'cut-off');
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
    for (const id of this.answers.open) {
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
    this.lastWords.close();
    this.purse.close();
    const isPlainEnd = error === broke && !this.isAnswering;
    const open = this.answers.close();
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
