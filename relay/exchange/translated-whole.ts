import { isApiError } from '../admission/caller.ts';
import type { ApiError } from '../ingress/api-error.ts';
import type { SeenAnswer } from '../metering/seen-answer.ts';
import { producedText, thoughtText } from '../metering/stream-text.ts';
import type { ReadAnswer } from '../offload/jobs.ts';
import { largeTranslationBytes } from '../offload/sizes.ts';
import { isMedia } from '../providers/shared/operations.ts';
import type {
  HttpReply,
  JsonObject,
  OpenAiReply,
  TranslationContext,
} from '../providers/translate.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import type { RelayCore } from '../relay-core.ts';
import { type AnswerGuard, guardFor } from './answer-guard.ts';
import type { Settled } from './booking.ts';
import { readApart, tellApart } from './long-answer.ts';
import { pictureEvents } from './picture-events.ts';
import { nothing, type Reply, type ReplyHost } from './reply.ts';
import { soundEvents } from './sound-events.ts';
import { voiceFor, withUsage } from './voice.ts';

/** Lists of embeddings and pictures are the longest honest answers. */
const maxAnswerBytes = 67_108_864;

export type WholeTranslation = Readonly<{
  core: RelayCore;
  context: TranslationContext;
  head: Omit<HttpReply, 'body'>;
  translate: (reply: HttpReply) => Promise<OpenAiReply | ApiError>;
}>;

type Sending = Readonly<{ settled: Settled; guard: AnswerGuard | null }>;

/** An answer in one piece, in a protocol of the provider's own. */
export class TranslatedWhole implements Reply {
  private readonly host: ReplyHost;
  private readonly ways: WholeTranslation;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private ended = false;

  constructor(host: ReplyHost, ways: WholeTranslation) {
    this.host = host;
    this.ways = ways;
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
    const { head, translate, context } = this.ways;
    const chunks = this.chunks.splice(0);
    // Pictures and sound are bytes, which are not looked into.
    if (this.bytes >= largeTranslationBytes && !isMedia(context.call.operation)) {
      const long = { chunks, bytes: this.bytes };
      this.host.whenDone(readApart(this.host, this.ways, long), (read) => this.longAnswer(read));
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

  /** The provider's own bytes; frames and other dialects may be shorter than what is told of them. */
  private seen(thoughts: string | null): SeenAnswer {
    const most = 2 * this.bytes;
    return {
      roughTokens: () => this.bytes,
      maxTokens: () => most,
      maxThoughtTokens: () => (thoughts === null ? most : Buffer.byteLength(thoughts)),
    };
  }

  private longAnswer(read: ReadAnswer | ApiError): void {
    if (this.ended) return;
    this.ended = true;
    if (isApiError(read)) {
      this.host.failAttempt(this.host.unusable(read));
      return;
    }
    const { usage, text } = read;
    const produced = {
      ...this.seen(text),
      produced: () => read.producedTokens ?? text ?? read.bytes.length,
    };
    const end = this.host.clientGone ? 'client-gone' : 'complete';
    this.host.settle({ end, reported: usage, produced }, (settled) => {
      const guard = guardFor(this.host);
      if (guard?.said(text ?? '') === true) this.host.forbid();
      else {
        this.host.whenDone(tellApart(this.host, this.ways, { read, settled }), (bytes) =>
          this.sendBytes(guard?.masked(bytes) ?? bytes, 'application/json'),
        );
      }
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
      const guard = guardFor(this.host);
      if (guard?.said(produced.produced()) === true) this.host.forbid();
      else this.send(answer, { settled, guard });
    });
  }

  private send({ contentType, body }: OpenAiReply, { settled, guard }: Sending): void {
    const { admitted } = this.host;
    const isFile = Buffer.isBuffer(body);
    const events = isFile
      ? soundEvents(body, admitted, settled.usage)
      : pictureEvents(body, admitted);
    const said = (reply: JsonObject): Buffer =>
      Buffer.from(JSON.stringify(voiceFor(admitted).whole(withUsage(reply, settled))));
    const whole = events ?? (isFile ? body : said(body));
    const bytes = isFile ? whole : (guard?.masked(whole) ?? whole);
    const plain = isFile ? contentType : 'application/json';
    this.sendBytes(bytes, events === null ? plain : 'text/event-stream');
  }

  private sendBytes(bytes: Buffer, contentType: string): void {
    this.host.writeHead(200, ['Content-Type', contentType, 'Content-Length', String(bytes.length)]);
    this.host.end(bytes);
  }
}
