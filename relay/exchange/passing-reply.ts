import type { EnvelopedAdapter, PassThroughAdapter } from '../providers/types.ts';
import { NativeStream } from './native-stream.ts';
import type { Reply, ReplyHost } from './reply.ts';
import { StreamReply } from './stream-reply.ts';
import { UnlabelledReply } from './unlabelled-reply.ts';
import { UnwrappedReply } from './unwrapped-reply.ts';
import { WholeReply } from './whole-reply.ts';

/** How answers are read that are not translated. */
export type ReadingAdapter = Omit<PassThroughAdapter, 'request'> & Pick<EnvelopedAdapter, 'unwrap'>;

/** An exchange whose provider speaks the caller's own protocol. */
type PassingHost = ReplyHost & Readonly<{ reading: ReadingAdapter | null }>;

const eventsReply = (host: PassingHost, contentType: string): Reply => {
  const { reading } = host;
  const wire = reading?.wire;
  if (wire === undefined) return new StreamReply(host, contentType);
  const events = new NativeStream(host, contentType, wire);
  const unwrap = reading?.unwrap?.();
  return unwrap === undefined ? events : new UnwrappedReply(host, unwrap, events);
};

const wholeReply = (host: PassingHost, status: number, contentType: string): Reply =>
  new WholeReply(host, { status, contentType }, host.reading?.wire);

/** The reply that an answer of this kind becomes, when it is passed on as it comes. */
export const passingReply = (host: PassingHost, status: number, contentType: string): Reply => {
  if (contentType.startsWith('text/event-stream')) return eventsReply(host, contentType);
  if (!host.admitted.call.isStream) return wholeReply(host, status, contentType);
  return new UnlabelledReply(host, {
    events: () => eventsReply(host, 'text/event-stream'),
    whole: () => wholeReply(host, status, contentType),
  });
};
