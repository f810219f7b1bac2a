import { ProtobufWriter } from '../../../protobuf/protobuf-writer.ts';
import { type LogRecord, TOMBSTONE_REVISION } from '../types.ts';
import { type UuidForm, writeUuid } from './uuid.ts';

/** An event as it goes out; `link` is the `$>` event that pointed to it. */
export type ResolvedRecord = Readonly<{ record: LogRecord | null; link: LogRecord | null }>;

const longMax = 9_223_372_036_854_775_807n;
/** Headers, numbers, ids and map keys of one recorded event, generously. */
const overhead = 256;

/** The wire shows the tombstone's revision as long.MaxValue. */
export const wireRevision = (revision: number): number | bigint =>
  revision === TOMBSTONE_REVISION ? longMax : revision;

const capacityOf = (record: LogRecord | null): number =>
  record === null
    ? 0
    : overhead +
      record.data.length +
      record.metadata.length +
      3 * (record.stream.length + record.type.length);

const writeEntry = (writer: ProtobufWriter, key: string, value: string): void =>
  writer.message(6, (entry) => {
    entry.string(2, value);
    entry.string(1, key);
  });

/** `RecordedEvent` */
const writeRecorded = (writer: ProtobufWriter, record: LogRecord, form: UuidForm): void => {
  writer.bytes(8, record.data);
  writer.bytes(7, record.metadata);
  // 100 ns ticks: milliseconds and four digits.
  writeEntry(writer, 'created', `${record.createdAtMs}0000`);
  writeEntry(
    writer,
    'content-type',
    record.isJson ? 'application/json' : 'application/octet-stream',
  );
  writeEntry(writer, 'type', record.type);
  writer.uint64(5, record.position);
  writer.uint64(4, record.position);
  writer.uint64(3, wireRevision(record.revision));
  writer.message(2, (stream) => stream.string(3, record.stream));
  writer.message(1, (id) => writeUuid(id, record.eventId, form));
};

const writeReadEvent = (
  writer: ProtobufWriter,
  { record, link }: ResolvedRecord,
  form: UuidForm,
): void => {
  writer.uint64(3, (link ?? record)?.position ?? 0);
  if (link !== null) writer.message(2, (event) => writeRecorded(event, link, form));
  if (record !== null) writer.message(1, (event) => writeRecorded(event, record, form));
};

const build = (capacity: number, fill: (writer: ProtobufWriter) => void): Buffer => {
  const writer = new ProtobufWriter(capacity);
  fill(writer);
  return writer.finish();
};

/** `streams.ReadResp.event` */
export const eventResponse = (resolved: ResolvedRecord, form: UuidForm): Buffer =>
  build(overhead + capacityOf(resolved.record) + capacityOf(resolved.link), (writer) =>
    writer.message(1, (event) => writeReadEvent(event, resolved, form)),
  );

/** `streams.ReadResp.confirmation` */
export const confirmationResponse = (subscriptionId: string): Buffer =>
  build(overhead + 3 * subscriptionId.length, (writer) =>
    writer.message(2, (confirmation) => confirmation.string(1, subscriptionId)),
  );

export const checkpointResponse = (position: number): Buffer =>
  build(overhead, (writer) =>
    writer.message(3, (checkpoint) => {
      checkpoint.uint64(2, position);
      checkpoint.uint64(1, position);
    }),
  );

export const streamNotFoundResponse = (stream: string): Buffer =>
  build(overhead + 3 * stream.length, (writer) =>
    writer.message(4, (notFound) =>
      notFound.message(1, (identifier) => identifier.string(3, stream)),
    ),
  );

export const caughtUpResponse: Buffer = build(overhead, (writer) => writer.empty(8));
