import type { UpstreamFailure } from '../upstream/types.ts';
import { nothing, type Reply, type ReplyHost } from './reply.ts';

/** Which reply an answer turns out to be. */
type Choices = Readonly<{ events: () => Reply; whole: () => Reply }>;

const space = /\s/;

/** An answer to a request for a stream that is not labelled as one: its first byte decides. */
export class UnlabelledReply implements Reply {
  private readonly host: ReplyHost;
  private readonly choices: Choices;
  private reply: Reply | null = null;

  constructor(host: ReplyHost, choices: Choices) {
    this.host = host;
    this.choices = choices;
  }

  onData(chunk: Buffer): boolean {
    if (this.reply === null) {
      const first = [...chunk.toString('latin1', 0, 256)].find((letter) => !space.test(letter));
      if (first === undefined) return true;
      this.reply = '{[<'.includes(first) ? this.choices.whole() : this.choices.events();
    }
    return this.reply.onData(chunk);
  }

  onEnd(): void {
    if (this.reply !== null) this.reply.onEnd();
    else this.host.failAttempt(this.host.failureOf(502, Buffer.alloc(0)));
  }

  onBroken(failure: UpstreamFailure): void {
    if (this.reply !== null) this.reply.onBroken(failure);
    else this.host.failAttempt(failure);
  }

  onDrained(): void {
    if (this.reply !== null) {
      this.reply.onDrained();
      return;
    }
    this.host.stopUpstream();
    this.host.settle({ end: 'client-gone', reported: null, produced: nothing }, () => {});
  }

  onUnfunded(): void {
    this.reply?.onUnfunded?.();
  }

  ping(): Buffer | null {
    return this.reply?.ping?.() ?? null;
  }
}
