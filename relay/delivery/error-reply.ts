import type { UpstreamFailure } from '../upstream/types.ts';
import type { Reply, ReplyHost } from './reply.ts';

const maxErrorBytes = 65_536;

/** An error response: read, translated, and passed to the retry rules. */
export class ErrorReply implements Reply {
  private readonly host: ReplyHost;
  private readonly status: number;
  private readonly retryAfterSeconds: number | null;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(host: ReplyHost, status: number, retryAfterSeconds: number | null) {
    this.host = host;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  onData(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > maxErrorBytes) {
      this.host.stopUpstream();
      this.onEnd();
    }
    return true;
  }

  onEnd(): void {
    const failure = this.host.failureOf(this.status, Buffer.concat(this.chunks));
    const { retryAfterSeconds } = this;
    this.host.failAttempt(
      retryAfterSeconds === null
        ? failure
        : { ...failure, error: { ...failure.error, retryAfterSeconds } },
    );
  }

  onBroken(_failure: UpstreamFailure): void {
    this.onEnd();
  }

  onDrained(): void {
    this.host.stopUpstream();
    this.onEnd();
  }
}
