import { randomUUID } from 'node:crypto';
import type { Recorded } from '../../../domain/shared/event.ts';
import { parsedOr, textsOf } from '../../event-store/event-texts.ts';
import { isSystemEvent, type Reading, recordedOf } from '../../event-store/to-recorded.ts';
import type { EventToAppend, ExpectedRevision } from '../../ports/event-store.ts';
import { type Retention, retentionOf } from './log/stream-metadata.ts';
import { type Expected, isStorable, type LogRecord, type ProposedEvent } from './types.ts';
import { normalUuid } from './wire/uuid.ts';

export const numberOf = (place: bigint): number =>
  place > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(place);

export const expectedOf = (expected: ExpectedRevision): Expected =>
  typeof expected === 'bigint' ? numberOf(expected) : expected;

export const proposedOf = (appended: EventToAppend): ProposedEvent => {
  const { eventId, event } = appended;
  const id = normalUuid(eventId);
  if (id === null || !isStorable(event.type)) throw new Error('an event lacks its id or type');
  const { data, metadata } = textsOf(appended);
  return {
    eventId: id,
    type: event.type,
    isJson: true,
    data: Buffer.from(data),
    metadata: Buffer.from(metadata),
  };
};

const dataOf = ({ isJson, data }: LogRecord): unknown => {
  if (!isJson) return new Uint8Array(data);
  const text = data.toString('utf8');
  return parsedOr(text, () => text);
};

const metadataOf = ({ metadata }: LogRecord): unknown =>
  metadata.length === 0
    ? undefined
    : parsedOr(metadata.toString('utf8'), () => new Uint8Array(metadata));

/** null for a system event, and for one that cannot be read. */
export const recordedFrom = (record: LogRecord, reading: Reading): Recorded | null => {
  const { stream: streamId, type } = record;
  if (isSystemEvent({ streamId, type })) return null;
  return recordedOf(
    {
      id: record.eventId,
      streamId,
      revision: BigInt(record.revision),
      position: BigInt(record.position),
      type,
      data: dataOf(record),
      metadata: metadataOf(record),
    },
    reading,
  );
};

type Bounds = Readonly<{ maxCount?: number; maxAgeSeconds?: number }>;

const isBoundBy = (
  { maxCount, maxAgeSeconds }: Retention,
  bounds: Readonly<{ maxCount: number | null; maxAgeSeconds: number | null }>,
): boolean => maxCount === bounds.maxCount && maxAgeSeconds === bounds.maxAgeSeconds;

/** The event that bounds a stream with this metadata; null where the bounds are in force. */
export const boundingEvent = (metadata: Buffer | null, bounds: Bounds): ProposedEvent | null => {
  const current = retentionOf(metadata);
  const maxCount = bounds.maxCount ?? current.maxCount;
  const maxAgeSeconds = bounds.maxAgeSeconds ?? current.maxAgeSeconds;
  if (isBoundBy(current, { maxCount, maxAgeSeconds })) return null;
  const data = {
    ...(maxCount === null ? {} : { $maxCount: maxCount }),
    ...(maxAgeSeconds === null ? {} : { $maxAge: maxAgeSeconds }),
  };
  return {
    eventId: randomUUID(),
    type: '$metadata',
    isJson: true,
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.alloc(0),
  };
};
