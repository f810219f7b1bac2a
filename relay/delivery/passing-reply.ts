import type { EnvelopedAdapter, PassThroughAdapter } from '../providers/types.ts';
import { ChatCodec } from './chat-codec.ts';
import type { Reply, ReplyHost } from './reply.ts';
import { StreamReply } from './stream-reply.ts';
import { UnlabelledReply } from './unlabelled-reply.ts';
import { watchedReply } from './watched-reply.ts';
import { WholeReply } from './whole-reply.ts';
import { WireCodec } from './wire-codec.ts';

/** How answers are read that are not translated. */
export type ReadingAdapter = Omit<PassThroughAdapter, 'request'> & Pick<EnvelopedAdapter, 'unwrap'>;

const eventsReply = (
  host: ReplyHost,
  reading: ReadingAdapter | null,
  contentType: string,
): Reply => {
  const wire = reading?.wire;
  if (reading === null || wire === undefined) {
    return new StreamReply(host, new ChatCodec(host, contentType));
  }
  return new StreamReply(host, new WireCodec(host, contentType, { ...reading, wire }));
};

const plainReply = (
  host: ReplyHost,
  reading: ReadingAdapter | null,
  { status, contentType }: Readonly<{ status: number; contentType: string }>,
): Reply => {
  const whole = (): Reply => new WholeReply(host, { status, contentType }, reading?.wire);
  if (contentType.startsWith('text/event-stream')) return eventsReply(host, reading, contentType);
  if (!host.admitted.call.isStream) return whole();
  return new UnlabelledReply(host, {
    events: () => eventsReply(host, reading, 'text/event-stream'),
    whole,
  });
};

/** The reply for an answer that is passed on unchanged, by its content type. */
export const passingReply = (
  host: ReplyHost,
  reading: ReadingAdapter | null,
  head: Readonly<{ status: number; contentType: string }>,
): Reply => watchedReply(host, plainReply(host, reading, head));
