import type { ApiError } from '../protocol/api-error.ts';
import { isApiError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { largeTranslationBytes } from '../protocol/large-body.ts';
import { isMedia } from '../protocol/operations.ts';
import type { OpenAiReply, TranslationContext } from '../providers/translate.ts';
import type { Settled } from '../settlement/charge.ts';
import type { OutputSize } from '../settlement/output-size.ts';
import { producedText, thoughtText } from '../settlement/stream-text.ts';
import type { HttpReply, UpstreamFailure } from '../upstream/types.ts';
import { guardedAnswer, guardFor } from './answer-guard.ts';
import { soundEvents } from './audio-events.ts';
import type { DeliveryDeps } from './deps.ts';
import { encoderFor, withUsage } from './encoder.ts';
import { pictureEvents } from './image-events.ts';
import { keepingFacts } from './keeping.ts';
import { encodeApart, readApart } from './long-answer.ts';
import type { ReadAnswer } from './read-answer.ts';
import { nothing, type Reply, type ReplyHost } from './reply.ts';

/** Lists of embeddings and pictures are the longest honest answers. */
const maxAnswerBytes = 67_108_864;

export type WholeTranslation = Readonly<{
  core: Pick<DeliveryDeps, 'offload' | 'clock' | 'keptResponses'>;
  context: TranslationContext;
  head: Omit<HttpReply, 'body'>;
  translate: (reply: HttpReply) => Promise<OpenAiReply | ApiError>;
}>;

/** An answer in one piece, in a protocol of the provider's own. */
export class TranslatedWhole implements Reply {
  private readonly host: ReplyHost;
  private readonly translation: WholeTranslation;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private ended = false;

  constructor(host: ReplyHost, translation: WholeTranslation) {
    this.host = host;
    this.translation = translation;
  }

  onData(chunk: Buffer): boolean {
    if (this.ended) return true;
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > maxAnswerBytes) {
      this.ended = true;
      this.host.stopUpstream();
      this.host.failAttempt(this.host.failureOf(502, Buffer.alloc(0)));
    }
    return true;
  }

  onEnd(): void {
    if (this.ended) return;
    const { head, translate, context } = this.translation;
    const chunks = this.chunks.splice(0);
    // Pictures and audio are bytes, which are not searched.
    if (this.bytes >= largeTranslationBytes && !isMedia(context.call.operation)) {
      const long = { chunks, bytes: this.bytes };
      this.host.whenDone(readApart(this.host, this.translation, long), (read) =>
        this.longAnswer(read),
      );
      return;
    }
    const reply = { ...head, body: Buffer.concat(chunks, this.bytes) };
    this.host.whenDone(translate(reply), (answer) => this.answer(answer));
  }

  onBroken(failure: UpstreamFailure): void {
    if (this.ended) return;
    this.ended = true;
    this.host.failAttempt(failure);
  }

  onDrained(): void {
    if (this.ended) return;
    this.ended = true;
    this.host.stopUpstream();
    this.host.settle({ end: 'client-gone', reported: null, produced: nothing }, () => {});
  }

  /**
   * The provider's own bytes; frames and other dialects may be shorter than what is written of
   * them.
   */
  private seen(thoughts: string | null): OutputSize {
    const max = 2 * this.bytes;
    return {
      roughTokens: () => this.bytes,
      maxTokens: () => max,
      maxThoughtTokens: () => (thoughts === null ? 0 : Buffer.byteLength(thoughts)),
    };
  }

  private longAnswer(read: ReadAnswer | ApiError): void {
    if (this.ended) return;
    this.ended = true;
    if (isApiError(read)) {
      this.host.failAttempt(this.host.unusable(read));
      return;
    }
    const { usage, bytes } = read;
    const produced = {
      ...this.seen(null),
      produced: () => read.producedTokens ?? bytes.length,
    };
    const end = this.host.clientGone ? 'client-gone' : 'complete';
    this.host.settle({ end, reported: usage, produced }, (settled) => {
      const guard = guardFor<Buffer>(this.host);
      const allowed = guard === null ? bytes : guardedAnswer(guard, bytes);
      if (allowed === null) {
        this.host.forbid();
        return;
      }
      const work = { read: { ...read, bytes: allowed }, settled };
      this.host.whenDone(encodeApart(this.host, this.translation, work), (encoded) =>
        this.sendBytes(encoded, 'application/json'),
      );
    });
  }

  private answer(answer: OpenAiReply | ApiError): void {
    if (this.ended) return;
    this.ended = true;
    if (!('contentType' in answer) || isApiError(answer)) {
      this.host.failAttempt(this.host.unusable(answer));
      return;
    }
    const { body, usage } = answer;
    const text = () => (Buffer.isBuffer(body) ? '' : producedText(body));
    const produced = {
      ...this.seen(Buffer.isBuffer(body) ? '' : thoughtText(body)),
      produced: text,
    };
    const end = this.host.clientGone ? 'client-gone' : 'complete';
    this.host.settle({ end, reported: usage, produced }, (settled) => {
      const guard = Buffer.isBuffer(body) ? null : guardFor<JsonObject>(this.host);
      if (!Buffer.isBuffer(body)) guard?.add(body, body);
      if (guard?.isOver === true) this.host.forbid();
      else this.send(answer, settled);
    });
  }

  private send({ contentType, body }: OpenAiReply, settled: Settled): void {
    const { admitted } = this.host;
    const isFile = Buffer.isBuffer(body);
    const events = isFile
      ? soundEvents(body, admitted, settled.usage)
      : pictureEvents(body, admitted);
    const { core, context } = this.translation;
    const encoder = encoderFor(keepingFacts(this.host, context.call, core.keptResponses));
    const encode = (reply: JsonObject): Buffer =>
      Buffer.from(JSON.stringify(encoder.whole(withUsage(reply, settled))));
    const whole = events ?? (isFile ? body : encode(body));
    const plain = isFile ? contentType : 'application/json';
    this.sendBytes(whole, events === null ? plain : 'text/event-stream');
  }

  private sendBytes(made: Buffer, contentType: string): void {
    const bytes = this.host.masked(made);
    this.host.writeHead(200, contentType, ['Content-Length', String(bytes.length)]);
    this.host.end(bytes);
  }
}
