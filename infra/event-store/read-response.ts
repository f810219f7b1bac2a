import { createRequire } from 'node:module';
import type { ResolvedEvent } from '@eventstore/db-client';
import { bytesTag, FieldReader, ProtobufError, varintTag } from '../protobuf/field-reader.ts';
import { parsedOr } from './event-texts.ts';

/*
 * The client's generated code copies every field of an event several times before the client reads
 * it: that is about a quarter of the cost of a read. Here the frames that a log is made of (one
 * event, not a link: `ReadResp` of streams.proto) are read in place, and become what the client
 * makes of them. Every other frame is passed to the generated code.
 */

type Pb = typeof import('@eventstore/db-client/generated/streams_pb.js');
/** The client reads these each time it opens a read. */
type Conversion = { convertGrpcEvent: (event: unknown) => ResolvedEvent };

const require = createRequire(import.meta.url);
const { ReadResp } = require('@eventstore/db-client/generated/streams_pb.js') as Pb;
const conversion = require('@eventstore/db-client/dist/utils/convertGrpcEvent.js') as Conversion;

const emptyBytes: Buffer = Buffer.alloc(0);

/** Of the messages that a frame is made of. */
const tags = {
  event: bytesTag(1),
  recorded: bytesTag(1),
  place: varintTag(3),
  uuidText: bytesTag(2),
  streamName: bytesTag(3),
  entryKey: bytesTag(1),
  entryValue: bytesTag(2),
  id: bytesTag(1),
  stream: bytesTag(2),
  revision: varintTag(3),
  prepare: varintTag(4),
  commit: varintTag(5),
  fields: bytesTag(6),
  metadata: bytesTag(7),
  data: bytesTag(8),
} as const;

/** A frame that the generated code is to read. */
class UnexpectedField extends Error {}

const jsonType = 'application/json';

/** `created` counts 100 ns; a log without the time begins at 0. */
const dateOf = (ticks: string | undefined): Date => {
  const ms = Number(ticks?.slice(0, -4));
  return new Date(Number.isNaN(ms) ? 0 : ms);
};

/** `ReadResp.ReadEvent` with its `RecordedEvent`. */
class EventFrame {
  id = '';
  streamId: string | null = null;
  revision = 0;
  prepare = 0;
  commit = 0;
  metadata = emptyBytes;
  data = emptyBytes;
  readonly fields = new Map<string, string>();
  /** null where the store gives no position. */
  place: number | null = null;

  /** What the client makes of an event. The bytes of the frame are used for something else later. */
  resolve(): ResolvedEvent {
    const { metadata, data, fields } = this;
    const isJson = fields.get('content-type') === jsonType;
    const event = {
      streamId: this.streamId ?? '',
      id: this.id,
      revision: BigInt(this.revision),
      type: fields.get('type') ?? '<no-event-type-provided>',
      data: isJson ? this.#json() : new Uint8Array(data),
      metadata:
        metadata.length === 0
          ? undefined
          : parsedOr(metadata.toString('utf8'), () => new Uint8Array(metadata)),
      isJson,
      created: dateOf(fields.get('created')),
      position: { commit: BigInt(this.commit), prepare: BigInt(this.prepare) },
    };
    return {
      // The client distinguishes its kinds of events by `isJson`.
      event: event as unknown as NonNullable<ResolvedEvent['event']>,
      ...(this.place === null ? {} : { commitPosition: BigInt(this.place) }),
    };
  }

  #json(): unknown {
    const text = this.data.toString('utf8');
    return parsedOr(text, () => text);
  }
}

/** `ReadResp`; the client does without the other questions where they are not answered. */
class ResponseFrame {
  readonly event = new EventFrame();

  hasEvent(): boolean {
    return true;
  }
  getEvent(): EventFrame {
    return this.event;
  }
}

/** The one text of a message that holds nothing else. */
const onlyText = (fields: FieldReader, tag: number): string => {
  let text = '';
  while (fields.next()) {
    if (fields.tag !== tag) throw new UnexpectedField();
    text = fields.text();
  }
  return text;
};

const readEntry = (fields: FieldReader, entries: Map<string, string>): void => {
  let key = '';
  let value = '';
  while (fields.next()) {
    if (fields.tag === tags.entryKey) key = fields.text();
    else if (fields.tag === tags.entryValue) value = fields.text();
    else throw new UnexpectedField();
  }
  entries.set(key, value);
};

const safe = ({ value }: FieldReader): number => {
  if (!Number.isSafeInteger(value)) throw new UnexpectedField();
  return value;
};

const readRecordedField = (fields: FieldReader, recorded: EventFrame): void => {
  switch (fields.tag) {
    case tags.id:
      recorded.id = onlyText(fields.message(), tags.uuidText);
      return;
    case tags.stream:
      recorded.streamId = onlyText(fields.message(), tags.streamName);
      return;
    case tags.revision:
      recorded.revision = safe(fields);
      return;
    case tags.prepare:
      recorded.prepare = safe(fields);
      return;
    case tags.commit:
      recorded.commit = safe(fields);
      return;
    case tags.fields:
      readEntry(fields.message(), recorded.fields);
      return;
    case tags.metadata:
      recorded.metadata = fields.bytes();
      return;
    case tags.data:
      recorded.data = fields.bytes();
      return;
    default:
      throw new UnexpectedField();
  }
};

const readRecorded = (fields: FieldReader, recorded: EventFrame): void => {
  while (fields.next()) readRecordedField(fields, recorded);
};

const readEvent = (fields: FieldReader, event: EventFrame): void => {
  while (fields.next()) {
    if (fields.tag === tags.recorded) readRecorded(fields.message(), event);
    else if (fields.tag === tags.place) event.place = safe(fields);
    else throw new UnexpectedField();
  }
};

/** null for a frame that is anything else than one event in full, with nothing unknown in it. */
export const readEventFrame = (frame: Uint8Array): ResponseFrame | null => {
  if (frame[0] !== tags.event) return null;
  const fields = new FieldReader(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
  const response = new ResponseFrame();
  const { event } = response;
  try {
    while (fields.next()) {
      if (fields.tag !== tags.event) return null;
      readEvent(fields.message(), event);
    }
  } catch (error) {
    if (error instanceof UnexpectedField || error instanceof ProtobufError) return null;
    throw error;
  }
  return event.id !== '' && event.streamId !== null ? response : null;
};

const generated = ReadResp.deserializeBinary;
const { convertGrpcEvent } = conversion;

/** Goes before the generated code, for the whole process; doing it again is harmless. */
export const readEventFramesInPlace = (): void => {
  Object.assign(ReadResp, {
    deserializeBinary: (frame: Uint8Array) => readEventFrame(frame) ?? generated(frame),
  });
  conversion.convertGrpcEvent = (event) =>
    event instanceof EventFrame ? event.resolve() : convertGrpcEvent(event);
};
