import { createRequire } from 'node:module';
import type { ResolvedEvent } from '@eventstore/db-client';

/*
 * The client's generated code copies every field of an event several times over before the client
 * looks at it: that is about a quarter of the cost of a read. Here the frames that a log is made of (one
 * event, not a link: `ReadResp` of streams.proto) are read in place, and become what the client
 * makes of them. Every other frame goes to the generated code as before.
 */

type Pb = typeof import('@eventstore/db-client/generated/streams_pb.js');
/** The client looks these up each time it opens a read. */
type Conversion = { convertGrpcEvent: (event: unknown) => ResolvedEvent };

const require = createRequire(import.meta.url);
const { ReadResp } = require('@eventstore/db-client/generated/streams_pb.js') as Pb;
const conversion = require('@eventstore/db-client/dist/utils/convertGrpcEvent.js') as Conversion;

const emptyBytes: Buffer = Buffer.alloc(0);

/** A frame that is not as expected puts the cursor past every end. */
class Cursor {
  at = 0;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  fail(): void {
    this.at = Number.POSITIVE_INFINITY;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at];
      this.at += 1;
      if (byte === undefined) break;
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) break;
      if (byte < 0x80) return value;
    }
    this.fail();
    return 0;
  }

  /** A length and that many bytes, not copied. */
  slice(): Buffer {
    const size = this.varint();
    const start = this.at;
    this.at += size;
    if (this.at > this.bytes.length) return emptyBytes;
    return this.bytes.subarray(start, this.at);
  }

  text(): string {
    const size = this.varint();
    const start = this.at;
    this.at += size;
    if (this.at > this.bytes.length) return '';
    return this.bytes.toString('utf8', start, this.at);
  }

  /** Calls `field` with each tag of a message within the message; its length comes first. */
  message(field: (tag: number) => void): void {
    const size = this.varint();
    const end = this.at + size;
    while (this.at < end) field(this.varint());
    if (this.at !== end) this.fail();
  }
}

/** Tags: the number of a field, and whether a number or a length with bytes follows. */
const number = (field: number): number => field << 3;
const bytes = (field: number): number => (field << 3) | 2;

const tags = {
  event: bytes(1),
  uuidText: bytes(2),
  streamName: bytes(3),
  entryKey: bytes(1),
  entryValue: bytes(2),
  recorded: bytes(1),
  place: number(3),
  id: bytes(1),
  stream: bytes(2),
  revision: number(3),
  prepare: number(4),
  commit: number(5),
  fields: bytes(6),
  metadata: bytes(7),
  data: bytes(8),
} as const;

const jsonType = 'application/json';

/** As the client has it: what is no JSON after all comes as it is. */
const parsed = <T>(text: string, otherwise: () => T): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise();
  }
};

/** `created` counts 100 ns; a log that does not say when has begun at 0. */
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
          : parsed(metadata.toString('utf8'), () => new Uint8Array(metadata)),
      isJson,
      created: dateOf(fields.get('created')),
      position: { commit: BigInt(this.commit), prepare: BigInt(this.prepare) },
    };
    return {
      // The kinds of events that the client tells apart are told apart by `isJson`.
      event: event as unknown as NonNullable<ResolvedEvent['event']>,
      ...(this.place === null ? {} : { commitPosition: BigInt(this.place) }),
    };
  }

  #json(): unknown {
    const text = this.data.toString('utf8');
    return parsed(text, () => text);
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

const readId = (cursor: Cursor, recorded: EventFrame): void =>
  cursor.message((tag) => {
    if (tag === tags.uuidText) recorded.id = cursor.text();
    else cursor.fail();
  });

const readStream = (cursor: Cursor, recorded: EventFrame): void =>
  cursor.message((tag) => {
    if (tag === tags.streamName) recorded.streamId = cursor.text();
    else cursor.fail();
  });

const readField = (cursor: Cursor, recorded: EventFrame): void => {
  let key = '';
  let value = '';
  cursor.message((tag) => {
    if (tag === tags.entryKey) key = cursor.text();
    else if (tag === tags.entryValue) value = cursor.text();
    else cursor.fail();
  });
  recorded.fields.set(key, value);
};

const readRecorded = (cursor: Cursor, recorded: EventFrame): void =>
  cursor.message((tag) => {
    switch (tag) {
      case tags.id:
        return readId(cursor, recorded);
      case tags.stream:
        return readStream(cursor, recorded);
      case tags.revision:
        recorded.revision = cursor.varint();
        return;
      case tags.prepare:
        recorded.prepare = cursor.varint();
        return;
      case tags.commit:
        recorded.commit = cursor.varint();
        return;
      case tags.fields:
        return readField(cursor, recorded);
      case tags.metadata:
        recorded.metadata = cursor.slice();
        return;
      case tags.data:
        recorded.data = cursor.slice();
        return;
      default:
        cursor.fail();
    }
  });

/** null for a frame that is anything else than one event in full, with nothing unknown in it. */
export const readEventFrame = (frame: Uint8Array): ResponseFrame | null => {
  if (frame[0] !== tags.event) return null;
  const cursor = new Cursor(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
  cursor.at = 1;
  const response = new ResponseFrame();
  const { event } = response;
  cursor.message((tag) => {
    if (tag === tags.recorded) readRecorded(cursor, event);
    else if (tag === tags.place) event.place = cursor.varint();
    else cursor.fail();
  });
  const isWhole = cursor.at === frame.length && event.id !== '' && event.streamId !== null;
  return isWhole ? response : null;
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
