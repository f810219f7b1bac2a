import { gatewayError } from '../protocol/api-error.ts';
import type { UpstreamFailure } from '../upstream/types.ts';
import type { Reply, ReplyHost } from './reply.ts';

const unreadable = {
  ...gatewayError(502, 'bad_response_body', 'The upstream sent something that cannot be read'),
  type: 'upstream_error',
};

/** A stream whose events are wrapped: the content is passed on as if it were not. */
export class UnwrappedReply implements Reply {
  private readonly host: ReplyHost;
  private readonly unwrap: (bytes: Buffer) => Buffer | null;
  private readonly inner: Reply;

  constructor(host: ReplyHost, unwrap: (bytes: Buffer) => Buffer | null, inner: Reply) {
    this.host = host;
    this.unwrap = unwrap;
    this.inner = inner;
  }

  onData(chunk: Buffer): boolean {
    const events = this.unwrap(chunk);
    if (events !== null) return events.length === 0 || this.inner.onData(events);
    this.host.stopUpstream();
    this.inner.onBroken(this.host.unusable(unreadable));
    return true;
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
    this.inner.onUnfunded?.();
  }

  ping(): Buffer | null {
    return this.inner.ping?.() ?? null;
  }
}
