import type { RequestEnd } from '../../domain/account/events.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import type { StreamTranslation } from '../providers/translate.ts';
import { outcomeOf } from '../settlement/outcome.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import { type AnswerGuard, guardFor } from './answer-guard.ts';
import { type AnswerEncoder, cutOffChunk } from './encoder.ts';
import { ProducedText } from './produced-text.ts';
import {
  pingComment,
  type Reply,
  type ReplyHost,
  type RunningAnswer,
  streamHeaders,
} from './reply.ts';
import type { CutReason } from './stream-events.ts';

const isError = (chunks: readonly JsonObject[] | ApiError): chunks is ApiError =>
  !Array.isArray(chunks);

/** A stream in a protocol of the provider, written in the caller's. */
export class TranslatedStream implements Reply, RunningAnswer {
  private readonly host: ReplyHost;
  private readonly translation: StreamTranslation;
  private readonly encoder: AnswerEncoder;
  private readonly produced = new ProducedText();
  private readonly guard: AnswerGuard | null;
  private cut: CutReason = 'quota';
  private begun = false;
  /** The provider answered, if only with what its encoder writes at the end. */
  private hasAnswer = false;
  private ended = false;

  constructor(host: ReplyHost, translation: StreamTranslation, encoder: AnswerEncoder) {
    this.host = host;
    this.translation = translation;
    this.encoder = encoder;
    this.guard = guardFor(host);
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    const chunks = this.translation.push(chunk);
    if (isError(chunks)) {
      this.host.stopUpstream();
      this.breakOff(this.host.unusable(chunks));
      return true;
    }
    const goOn = this.encode(chunks);
    if (this.cut === 'words') this.cutOff();
    else this.host.cover(this.produced.roughTokens(), this);
    return goOn;
  }

  onEnd(): void {
    if (this.ended) return;
    const rest = this.translation.end();
    if (isError(rest)) {
      this.breakOff(this.host.unusable(rest));
      return;
    }
    this.encode(rest);
    if (this.cut === 'words') this.cutOff();
    else if (this.hasAnswer || this.translation.usage() !== null) {
      this.end('complete', null);
    } else {
      this.ended = true;
      this.host.failAttempt(this.host.failureOf(502, Buffer.alloc(0)));
    }
  }

  private cutOff(): void {
    this.host.stopUpstream();
    this.end('cut-off', null);
  }

  onBroken(failure: UpstreamFailure): void {
    if (!this.ended) this.breakOff(failure);
  }

  onDrained(): void {
    if (this.ended) return;
    this.host.stopUpstream();
    this.end('client-gone', null);
  }

  onUnfunded(): void {
    if (!this.ended) this.cutOff();
  }

  soFar() {
    return { reported: this.translation.usage(), produced: this.produced, isPartial: true };
  }

  ping(): Buffer | null {
    const isEvents = this.encoder.contentType.startsWith('text/event-stream');
    return this.begun && !this.ended && isEvents ? pingComment : null;
  }

  private encode(chunks: readonly JsonObject[]): boolean {
    let text = '';
    if (chunks.length > 0) this.hasAnswer = true;
    for (const chunk of chunks) {
      const produced = this.produced.add(chunk);
      if (this.guard?.takeText(produced) === true) {
        this.cut = 'words';
        break;
      }
      text += this.encoder.chunk(chunk);
    }
    if (text === '') return true;
    if (!this.begun) {
      this.begun = true;
      this.host.noteFirstByte();
      this.host.writeHead(200, this.encoder.contentType, streamHeaders);
    }
    const bytes = Buffer.from(text);
    return this.host.write(this.guard?.masked(bytes) ?? bytes);
  }

  /** Nothing reached the client: another channel may answer. Otherwise the stream ends with it. */
  private breakOff(failure: UpstreamFailure): void {
    if (this.begun) {
      this.end('upstream-broken', failure);
      return;
    }
    this.ended = true;
    this.host.failAttempt(failure);
  }

  private end(reason: RequestEnd, failure: UpstreamFailure | null): void {
    this.ended = true;
    const reported = this.translation.usage();
    const outcome = outcomeOf({
      reason,
      isClientGone: this.host.clientGone,
      isBroken: failure !== null,
      hasFinalReport: reported !== null && reason === 'complete',
      isEmpty: this.produced.isEmpty,
    });
    const { encoder } = this;
    if (outcome.kind === 'uncharged') {
      const why = failure ?? this.host.failureOf(502, Buffer.alloc(0));
      this.host.abandon(why, () => this.host.end(Buffer.from(encoder.fail(why.error))));
      return;
    }
    this.host.settle({ ...outcome, reported, produced: this.produced }, (settled) => {
      const isCut = outcome.end === 'cut-off';
      const cut = isCut ? encoder.chunk(cutOffChunk(this.host.admitted, this.cut)) : '';
      const last = failure === null ? encoder.end(settled) : encoder.fail(failure.error);
      if (!this.begun) this.host.writeHead(200, encoder.contentType, streamHeaders);
      this.host.end(Buffer.from(cut + last));
    });
  }
}
