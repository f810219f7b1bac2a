import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { errorText, gatewayError } from '../protocol/api-error.ts';
import { createSseReader, type SseEvent } from '../providers/shared/sse.ts';
import type { PassThroughAdapter, Wire } from '../providers/types.ts';
import type { Settled } from '../settlement/charge.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { NativeStream } from './native-stream.ts';
import type { Reply, ReplyHost, RunningAnswer, SettleReport } from './reply.ts';

const tooLong = gatewayError(502, 'bad_response_body', 'The upstream sent an event without an end');

/** Writes events as the members of one list; everything else is the exchange's own. */
class ListHost implements ReplyHost {
  private readonly host: ReplyHost;
  private readonly readUsage: PassThroughAdapter['usage'];
  private readonly reader = createSseReader();
  private written = 0;
  private isBroken = false;

  constructor(host: ReplyHost, readUsage: PassThroughAdapter['usage']) {
    this.host = host;
    this.readUsage = readUsage;
  }

  get admitted(): ReplyHost['admitted'] {
    return this.host.admitted;
  }
  get clientGone(): boolean {
    return this.host.clientGone;
  }
  get addedUsage(): boolean {
    return this.host.addedUsage;
  }
  get filter(): ReplyHost['filter'] {
    return this.host.filter;
  }

  detected(word: string): void {
    this.host.detected(word);
  }

  noteResponse(id: string): void {
    this.host.noteResponse(id);
  }

  usageOf(reported: unknown): ReportedUsage | null {
    return reported === null ? null : this.readUsage(reported);
  }

  redactEvents(events: Buffer): Buffer {
    return this.host.redactEvents(events);
  }

  redactAnswer(answer: Buffer): Buffer {
    return this.host.redactAnswer(answer);
  }

  masked(bytes: Buffer): Buffer {
    return this.host.masked(bytes);
  }

  writeHead(status: number, contentType: string, more: readonly string[]): void {
    this.host.writeHead(status, contentType, more);
  }

  write(bytes: Buffer): boolean {
    const listed = this.listed(bytes);
    return listed === '' || this.host.write(Buffer.from(listed));
  }

  end(bytes: Buffer): void {
    const last = this.listed(bytes) + this.members(this.reader.end());
    const { requestId } = this.host.admitted;
    const error = this.isBroken ? this.member(errorText(tooLong, requestId, 'gemini')) : '';
    this.host.end(Buffer.from(`${last}${error}${this.written === 0 ? '[]' : ']'}`));
  }

  failureOf(status: number, body: Buffer): UpstreamFailure {
    return this.host.failureOf(status, body);
  }
  unusable(...all: Parameters<ReplyHost['unusable']>): UpstreamFailure {
    return this.host.unusable(...all);
  }
  whenDone<T>(work: Promise<T>, then: (result: T) => void): void {
    this.host.whenDone(work, then);
  }
  noteFirstByte(): void {
    this.host.noteFirstByte();
  }
  cover(tokens: number, answer: RunningAnswer): void {
    this.host.cover(tokens, answer);
  }
  stopUpstream(): void {
    this.host.stopUpstream();
  }
  failAttempt(failure: UpstreamFailure): void {
    this.host.failAttempt(failure);
  }
  settle(report: SettleReport, last: (settled: Settled) => void): void {
    this.host.settle(report, last);
  }
  abandon(failure: UpstreamFailure, last: () => void): void {
    this.host.abandon(failure, last);
  }
  forbid(): void {
    this.host.forbid();
  }

  private listed(bytes: Buffer): string {
    if (this.isBroken) return '';
    const events = this.reader.push(bytes);
    this.isBroken = events === null;
    return this.members(events ?? []);
  }

  private members(events: readonly SseEvent[]): string {
    return events.map(({ data }) => this.member(data)).join('');
  }

  private member(json: string): string {
    this.written += 1;
    return `${this.written === 1 ? '[' : ',\r\n'}${json}`;
  }
}

/**
 * A stream in the caller's own protocol for one who requested no events: the provider's own answers
 * as one list. It gets no pings: a list has no comments.
 */
export class ListedStream implements Reply {
  private readonly inner: NativeStream;

  constructor(host: ReplyHost, wire: Wire, usage: PassThroughAdapter['usage']) {
    this.inner = new NativeStream(
      new ListHost(host, usage),
      'application/json; charset=UTF-8',
      wire,
    );
  }

  onData(chunk: Buffer): boolean {
    return this.inner.onData(chunk);
  }

  onEnd(): void {
    this.inner.onEnd();
  }

  onBroken(failure: UpstreamFailure): void {
    this.inner.onBroken(failure);
  }

  onDrained(): void {
    this.inner.onDrained();
  }

  onUnfunded(): void {
    this.inner.onUnfunded();
  }
}
