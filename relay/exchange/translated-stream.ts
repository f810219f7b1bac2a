import type { RequestEnd } from '../../domain/account/events.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { JsonObject, StreamTranslation } from '../providers/translate.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import { type AnswerGuard, guardFor } from './answer-guard.ts';
import { ProducedText } from './produced-text.ts';
import { pingComment, type Reply, type ReplyHost } from './reply.ts';
import type { CutReason } from './stream-events.ts';
import { cutOffChunk, type Voice } from './voice.ts';

const isError = (said: readonly JsonObject[] | ApiError): said is ApiError => !Array.isArray(said);

/** A stream in a protocol of the provider's own, told in the caller's. */
export class TranslatedStream implements Reply {
  private readonly host: ReplyHost;
  private readonly translation: StreamTranslation;
  private readonly voice: Voice;
  private readonly said = new ProducedText();
  private readonly guard: AnswerGuard | null;
  private cut: CutReason = 'quota';
  private begun = false;
  private ended = false;

  constructor(host: ReplyHost, translation: StreamTranslation, voice: Voice) {
    this.host = host;
    this.translation = translation;
    this.voice = voice;
    this.guard = guardFor(host);
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    const said = this.translation.push(chunk);
    if (isError(said)) {
      this.host.stopUpstream();
      this.breakOff(this.host.unusable(said));
      return true;
    }
    const goOn = this.tell(said);
    if (this.cut === 'words' || this.host.outgrew(this.said.roughTokens())) this.cutOff();
    return goOn;
  }

  onEnd(): void {
    if (this.ended) return;
    const rest = this.translation.end();
    if (isError(rest)) {
      this.breakOff(this.host.unusable(rest));
      return;
    }
    this.tell(rest);
    if (this.cut === 'words') this.cutOff();
    else if (this.begun || this.translation.usage() !== null) {
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

  ping(): Buffer | null {
    const isEvents = this.voice.contentType.startsWith('text/event-stream');
    return this.begun && !this.ended && isEvents ? pingComment : null;
  }

  private tell(chunks: readonly JsonObject[]): boolean {
    let text = '';
    for (const chunk of chunks) {
      const said = this.said.add(chunk);
      if (this.guard?.said(said) === true) {
        this.cut = 'words';
        break;
      }
      text += this.voice.chunk(chunk);
    }
    if (text === '') return true;
    if (!this.begun) {
      this.begun = true;
      this.host.noteFirstByte();
      this.host.writeHead(200, [
        'Content-Type',
        this.voice.contentType,
        'Cache-Control',
        'no-cache',
        'X-Accel-Buffering',
        'no',
      ]);
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
    if (failure !== null && reported === null && this.said.isEmpty) {
      // It broke before it produced anything: nobody pays.
      this.host.abandon(failure, () => this.host.end(Buffer.from(this.voice.fail(failure.error))));
      return;
    }
    const end = this.host.clientGone && reason !== 'cut-off' ? 'client-gone' : reason;
    const isPartial = reason !== 'complete';
    this.host.settle({ end, reported, produced: this.said, isPartial }, (settled) => {
      const { voice } = this;
      const cut = end === 'cut-off' ? voice.chunk(cutOffChunk(this.host.admitted, this.cut)) : '';
      const last = failure === null ? voice.end(settled) : voice.fail(failure.error);
      if (!this.begun) this.host.writeHead(200, ['Content-Type', voice.contentType]);
      this.host.end(Buffer.from(cut + last));
    });
  }
}
