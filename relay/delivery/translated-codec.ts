import type { RequestEnd } from '../../domain/account/events.ts';
import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import type { StreamTranslation } from '../providers/translate.ts';
import type { StreamText } from '../settlement/stream-text.ts';
import { type AllowedPart, type AnswerGuard, guardFor } from './answer-guard.ts';
import type { AnswerEncoder } from './encoder.ts';
import { holdsContent } from './opening.ts';
import { ProducedText } from './produced-text.ts';
import type { ReplyHost } from './reply.ts';
import type { StreamCodec, StreamEnding } from './stream-codec.ts';
import { cutOffChunk } from './stream-events.ts';

const empty = Buffer.alloc(0);

const isFailure = (chunks: readonly JsonObject[] | ApiError): chunks is ApiError =>
  !Array.isArray(chunks);

/** Events in a protocol of the provider, written in the caller's. */
export class TranslatedCodec extends ProducedText implements StreamCodec {
  readonly contentType: string;
  readonly takesComments: boolean;
  private readonly host: ReplyHost;
  private readonly translation: StreamTranslation;
  private readonly encoder: AnswerEncoder;
  private readonly guard: AnswerGuard<JsonObject> | null;
  readonly refusal = null;
  readonly isClosed = false;
  readonly isWithinEvent = false;
  hasContent = false;
  hasAnswer = false;

  constructor(host: ReplyHost, translation: StreamTranslation, encoder: AnswerEncoder) {
    super();
    this.host = host;
    this.translation = translation;
    this.encoder = encoder;
    this.contentType = encoder.contentType;
    this.takesComments = encoder.contentType.startsWith('text/event-stream');
    this.guard = guardFor(host);
  }

  push(chunk: Buffer): Buffer | ApiError {
    return this.encode(this.translation.push(chunk));
  }

  flush(): Buffer | ApiError {
    return this.encode(this.translation.end());
  }

  private encode(chunks: readonly JsonObject[] | ApiError): Buffer | ApiError {
    if (isFailure(chunks)) return chunks;
    let text = '';
    for (const chunk of chunks) {
      this.hasAnswer = true;
      this.hasContent ||= holdsContent(chunk);
      this.add(chunk);
      if (this.guard === null) text += this.encoder.chunk(chunk);
      else this.guard.add(chunk, chunk);
    }
    if (this.guard !== null) text = this.written(this.guard.allowed());
    return text === '' ? empty : Buffer.from(text);
  }

  private written(parts: readonly AllowedPart<JsonObject>[]): string {
    return parts.map(({ source }) => this.encoder.chunk(source)).join('');
  }

  get isBlocked(): boolean {
    return this.guard?.isOver === true;
  }

  reported(): ReportedUsage | null {
    return this.translation.usage();
  }

  isFinal(reported: ReportedUsage | null, reason: RequestEnd | null): boolean {
    return reported !== null && reason === 'complete';
  }

  text(): StreamText {
    return { isEmpty: this.isEmpty, hasError: false };
  }

  ending({ cut, failure, settled }: StreamEnding): Buffer {
    const { encoder } = this;
    const rest = this.guard === null ? '' : this.written(this.guard.rest());
    const notice = cut === null ? '' : encoder.chunk(cutOffChunk(this.host.admitted, cut));
    const last = failure === null ? encoder.end(settled) : encoder.fail(failure.error);
    return Buffer.from(rest + notice + last);
  }
}
