import { isApiError } from '../admission/caller.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { producedText } from '../metering/stream-text.ts';
import type { HttpReply, JsonObject, OpenAiReply } from '../providers/translate.ts';
import type { UpstreamFailure } from '../providers/types.ts';
import { type AnswerGuard, guardFor } from './answer-guard.ts';
import type { Settled } from './booking.ts';
import { pictureEvents } from './picture-events.ts';
import { nothing, type Reply, type ReplyHost } from './reply.ts';
import { soundEvents } from './sound-events.ts';
import { type Voice, withUsage } from './voice.ts';

/** Lists of embeddings and pictures are the longest honest answers. */
const maxAnswerBytes = 67_108_864;

export type WholeTranslation = Readonly<{
  head: Omit<HttpReply, 'body'>;
  translate: (reply: HttpReply) => Promise<OpenAiReply | ApiError>;
  voice: Voice;
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
    const body = Buffer.concat(this.chunks, this.bytes);
    this.chunks.length = 0;
    const reply = { ...this.ways.head, body };
    this.host.whenDone(this.ways.translate(reply), (answer) => this.answer(answer));
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

  private answer(answer: OpenAiReply | ApiError): void {
    if (this.ended) return;
    this.ended = true;
    if (!('contentType' in answer) || isApiError(answer)) {
      this.host.failAttempt(this.host.unusable(answer));
      return;
    }
    const { body, usage } = answer;
    const produced = { produced: () => (Buffer.isBuffer(body) ? '' : producedText(body)) };
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
      Buffer.from(JSON.stringify(this.ways.voice.whole(withUsage(reply, settled))));
    const whole = events ?? (isFile ? body : said(body));
    const bytes = isFile ? whole : (guard?.masked(whole) ?? whole);
    const plain = isFile ? contentType : 'application/json';
    this.host.writeHead(200, [
      'Content-Type',
      events === null ? plain : 'text/event-stream',
      'Content-Length',
      String(bytes.length),
    ]);
    this.host.end(bytes);
  }
}
