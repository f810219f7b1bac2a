import { bytesTag, FieldReader, varintTag } from '../../../protobuf/field-reader.ts';
import { ProtobufWriter } from '../../../protobuf/protobuf-writer.ts';
import { type Expected, isStorable, type ProposedEvent, type WriteResult } from '../types.ts';
import { wireRevision } from './read-response.ts';
import { decodeUuid, writeUuid } from './uuid.ts';

/** A part of one append; the first one carries the options, the last one is final. */
export type AppendPart = Readonly<{
  correlationId: string;
  options: AppendOptions | null;
  /** null in the place of an event that lacks its id, type or content type. */
  events: readonly (ProposedEvent | null)[];
  isFinal: boolean;
}>;

export type AppendOptions = Readonly<{
  stream: string;
  expected: Expected;
  /** Milliseconds since 1970; null when the client named none. */
  deadlineMs: number | null;
}>;

/** What can fail with one append, in addition to what the log decides. */
export type AppendFailure =
  | Readonly<{ kind: 'too-large'; limit: number }>
  | Readonly<{ kind: 'bad-request'; message: string }>
  | Readonly<{ kind: 'unavailable'; message: string }>;

const noBytes = Buffer.alloc(0);

/** Of the messages that an append is made of, as streams.proto numbers their fields. */
const tags = {
  request: {
    correlationId: bytesTag(1),
    options: bytesTag(2),
    message: bytesTag(3),
    isFinal: varintTag(4),
  },
  options: {
    stream: bytesTag(1),
    revision: varintTag(2),
    noStream: bytesTag(3),
    any: bytesTag(4),
    streamExists: bytesTag(5),
    /** A point in time. */
    deadline: bytesTag(6),
    /** A span, in newer clients. */
    timeout: bytesTag(7),
  },
  streamName: bytesTag(3),
  seconds: varintTag(1),
  nanos: varintTag(2),
  message: { id: bytesTag(1), property: bytesTag(2), metadata: bytesTag(3), data: bytesTag(4) },
  property: { name: bytesTag(1), value: bytesTag(2) },
} as const;

const decodeProperty = (fields: FieldReader): [name: string, value: string] => {
  let name = '';
  let value = '';
  while (fields.next()) {
    if (fields.tag === tags.property.name) name = fields.text();
    if (fields.tag === tags.property.value) value = fields.text();
  }
  return [name, value];
};

export const proposedEvent = (
  parts: Readonly<{ id: string | null; data: Buffer; metadata: Buffer }>,
  type: string | undefined,
  contentType: string | undefined,
): ProposedEvent | null => {
  const { id, data, metadata } = parts;
  if (id === null || type === undefined || contentType === undefined) return null;
  if (!isStorable(type)) return null;
  return { eventId: id, type, isJson: contentType === 'application/json', data, metadata };
};

/** The content of one `ProposedMessage`; `null` and undefined where it is missing. */
class ProposedParts {
  id: string | null = null;
  type: string | undefined;
  contentType: string | undefined;
  data: Buffer = noBytes;
  metadata: Buffer = noBytes;

  read(fields: FieldReader): void {
    switch (fields.tag) {
      case tags.message.id:
        this.id = decodeUuid(fields.message());
        break;
      case tags.message.property:
        this.#readProperty(decodeProperty(fields.message()));
        break;
      case tags.message.metadata:
        this.metadata = fields.bytes();
        break;
      case tags.message.data:
        this.data = fields.bytes();
        break;
      default:
    }
  }

  #readProperty([name, value]: readonly [string, string]): void {
    if (name === 'type') this.type = value;
    else if (name === 'content-type') this.contentType = value;
  }
}

const decodeEvent = (fields: FieldReader): ProposedEvent | null => {
  const parts = new ProposedParts();
  while (fields.next()) parts.read(fields);
  return proposedEvent(parts, parts.type, parts.contentType);
};

/** Timestamp or Duration: seconds and nanoseconds, in milliseconds. */
const decodeTime = (fields: FieldReader): number => {
  let milliseconds = 0;
  while (fields.next()) {
    const value = (): number => Number(BigInt.asIntN(64, fields.integer()));
    if (fields.tag === tags.seconds) milliseconds += value() * 1_000;
    else if (fields.tag === tags.nanos) milliseconds += value() / 1_000_000;
  }
  return milliseconds;
};

const decodeStreamName = (fields: FieldReader): string => {
  while (fields.next()) {
    if (fields.tag === tags.streamName) return fields.text();
  }
  return '';
};

const expectedByTag = new Map<number, Expected>([
  [tags.options.noStream, 'no-stream'],
  [tags.options.any, 'any'],
  [tags.options.streamExists, 'stream-exists'],
]);

const decodeOptions = (fields: FieldReader): AppendOptions => {
  let stream = '';
  let expected: Expected = 'any';
  let deadlineMs: number | null = null;
  while (fields.next()) {
    switch (fields.tag) {
      case tags.options.stream:
        stream = decodeStreamName(fields.message());
        break;
      case tags.options.revision:
        expected = fields.value;
        break;
      case tags.options.deadline:
        deadlineMs = decodeTime(fields.message());
        break;
      case tags.options.timeout:
        deadlineMs = Date.now() + decodeTime(fields.message());
        break;
      default:
        expected = expectedByTag.get(fields.tag) ?? expected;
    }
  }
  return { stream, expected, deadlineMs };
};

/** @throws ProtobufError */
export const decodeAppendPart = (buffer: Buffer): AppendPart => {
  let correlationId = '';
  let options: AppendOptions | null = null;
  let isFinal = false;
  const events: (ProposedEvent | null)[] = [];
  const fields = new FieldReader(buffer);
  while (fields.next()) {
    switch (fields.tag) {
      case tags.request.correlationId:
        correlationId = decodeUuid(fields.message()) ?? '';
        break;
      case tags.request.options:
        options = decodeOptions(fields.message());
        break;
      case tags.request.message:
        events.push(decodeEvent(fields.message()));
        break;
      case tags.request.isFinal:
        isFinal = fields.value !== 0;
        break;
      default:
    }
  }
  return { correlationId, options, events, isFinal };
};

const expectedFields = { 'no-stream': 6, any: 7, 'stream-exists': 8 } as const;
const wrongVersionFields = { any: 4, 'stream-exists': 5, 'no-stream': 6 } as const;

type ErrorDetail = Readonly<{
  code: number;
  message: string;
  typeName: string;
  fill: (writer: ProtobufWriter) => void;
}>;

const nothing = (): void => undefined;

const detailOf = (
  result: Exclude<WriteResult, { kind: 'written' }> | AppendFailure,
  { stream, expected }: AppendOptions,
): ErrorDetail => {
  switch (result.kind) {
    case 'wrong-version':
      return {
        code: 9,
        message: 'WrongExpectedVersion',
        typeName: 'WrongExpectedVersion',
        fill: (writer) => {
          if (typeof expected === 'number') writer.uint64(3, expected);
          else writer.empty(wrongVersionFields[expected]);
          if (result.current >= 0) writer.uint64(1, wireRevision(result.current));
          else writer.empty(2);
        },
      };
    case 'stream-deleted':
      return {
        code: 9,
        message: 'StreamDeleted',
        typeName: 'StreamDeleted',
        fill: (writer) => writer.message(1, (identifier) => identifier.string(3, stream)),
      };
    case 'timeout':
      return { code: 4, message: 'Timeout', typeName: 'Timeout', fill: nothing };
    case 'too-large':
      return {
        code: 3,
        message: `Maximum Append Size of ${result.limit} Exceeded.`,
        typeName: 'MaximumAppendSizeExceeded',
        fill: (writer) => writer.uint64(1, result.limit),
      };
    case 'bad-request':
      return {
        code: 3,
        message: result.message,
        typeName: 'BadRequest',
        fill: (writer) => writer.string(1, result.message),
      };
    case 'unavailable':
      return { code: 14, message: result.message, typeName: 'Unknown', fill: nothing };
  }
};

const writeSuccess = (writer: ProtobufWriter, revision: number, position: number | null): void => {
  if (position === null) writer.empty(4);
  else {
    writer.message(3, (place) => {
      place.uint64(2, position);
      place.uint64(1, position);
    });
  }
  if (revision >= 0) writer.uint64(1, wireRevision(revision));
  else writer.empty(2);
};

/** The one answer to an append: the client waits for ever for it, and chokes on a second one. */
export const encodeAppendAnswer = (
  correlationId: string,
  options: AppendOptions,
  result: WriteResult | AppendFailure,
): Buffer => {
  const writer = new ProtobufWriter(512 + 8 * options.stream.length);
  if (typeof options.expected === 'number') writer.uint64(5, options.expected);
  else writer.empty(expectedFields[options.expected]);
  writer.message(4, (identifier) => identifier.string(3, options.stream));
  if (result.kind === 'written') {
    writer.message(3, (success) => writeSuccess(success, result.revision, result.position));
  } else {
    const { code, message, typeName, fill } = detailOf(result, options);
    writer.message(2, (status) => {
      status.message(3, (any) => {
        any.message(2, fill);
        any.string(1, `type.googleapis.com/event_store.client.${typeName}`);
      });
      status.string(2, message);
      status.uint64(1, code);
    });
  }
  writer.message(1, (uuid) => writeUuid(uuid, correlationId, 'string'));
  return writer.finish();
};
