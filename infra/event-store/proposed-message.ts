import { createRequire } from 'node:module';
import type { EventData } from '@eventstore/db-client';
import { ProtobufWriter } from '../protobuf/protobuf-writer.ts';

/*
 * The client makes base64 of each event's JSON, which its generated code decodes byte by byte, and
 * serialises each event twice, once only for its size: that is half of what a charge costs. Here is
 * the same request (`BatchAppendReq` of streams.proto), the same bytes, written once and by native
 * code. It replaces the generated classes; the integration specs of the store show that nodes read
 * it.
 */

type Pb = typeof import('@eventstore/db-client/generated/streams_pb.js');
type Request = InstanceType<Pb['BatchAppendReq']>;

const { BatchAppendReq } = createRequire(import.meta.url)(
  '@eventstore/db-client/generated/streams_pb.js',
) as Pb;

type Content = string | Uint8Array;
/** The fields of a `ProposedMessage`. */
type Message = Readonly<{
  id: string;
  /** By name, as the generated code has them. */
  properties: readonly (readonly [name: string, value: string])[];
  metadata: Content;
  data: Content;
}>;

/** An event whose JSON is text already. The client hands on what it takes for bytes as it is. */
class EventText {
  readonly message: Message;

  constructor(id: string, type: string, json: Readonly<{ data: string; metadata: string }>) {
    const properties = [
      ['content-type', 'application/json'],
      ['type', type],
    ] as const;
    this.message = { id, properties, ...json };
  }
}

/** For `batchAppend` of the client alone; `data` and `metadata` are JSON. */
export const eventOfTexts = (
  id: string,
  type: string,
  json: Readonly<{ data: string; metadata: string }>,
): EventData => ({
  id,
  type,
  contentType: 'application/octet-stream',
  data: new EventText(id, type, json) as unknown as Uint8Array,
  metadata: undefined,
});

const sizeOf = (content: Content): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.length;

/** Of all tags and lengths of one message, and of what its properties are called, generously. */
const overhead = 128;

/** At most so many bytes; the metadata and the data of an event are nearly all of it. */
const capacityOf = ({ id, properties, metadata, data }: Message): number => {
  let capacity = overhead + 3 * id.length + sizeOf(metadata) + sizeOf(data);
  for (const [name, value] of properties) capacity += 3 * (name.length + value.length);
  return capacity;
};

const writeOptional = (writer: ProtobufWriter, field: number, content: Content): void => {
  if (content.length === 0) return;
  if (typeof content === 'string') writer.string(field, content);
  else writer.bytes(field, content);
};

const writeMessage = (writer: ProtobufWriter, message: Message): void => {
  writeOptional(writer, 4, message.data);
  writeOptional(writer, 3, message.metadata);
  for (const [name, value] of message.properties.toReversed()) {
    writer.message(2, (entry) => {
      entry.string(2, value);
      entry.string(1, name);
    });
  }
  writer.message(1, (id) => id.string(2, message.id));
};

const fromBase64 = (content: Content): Content =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : content;

/** What the client calls of `ProposedMessage`. */
class ProposedMessage {
  readonly #properties = new Map<string, string>();
  #id = '';
  #metadata: Content = '';
  #data: Content | EventText = '';
  #message: Message | null = null;
  #capacity = 0;

  setId(id: Readonly<{ getString: () => string }>): void {
    this.#id = id.getString();
  }
  getMetadataMap(): Map<string, string> {
    return this.#properties;
  }
  setCustomMetadata(metadata: Content): void {
    this.#metadata = metadata;
  }
  setData(data: Content | EventText): void {
    this.#data = data;
  }

  /**
   * The client calls it when the message is complete, for its length alone: how much fits into one
   * request.
   */
  serializeBinary(): Readonly<{ length: number }> {
    return { length: this.capacity };
  }

  get capacity(): number {
    if (this.#capacity === 0) this.#capacity = capacityOf(this.message);
    return this.#capacity;
  }

  get message(): Message {
    this.#message ??= this.#whole();
    return this.#message;
  }

  #whole(): Message {
    if (this.#data instanceof EventText) return this.#data.message;
    return {
      id: this.#id,
      properties: [...this.#properties].sort(([a], [b]) => (a < b ? -1 : 1)),
      metadata: fromBase64(this.#metadata),
      data: fromBase64(this.#data),
    };
  }
}

/** `is_final`, the last field where it is set: its tag and `true`. */
const isFinalSize = 2;

const messages = new WeakMap<Request, ProposedMessage[]>();
const generated = BatchAppendReq.prototype.serializeBinary;

/** What the generated code makes of all other fields, with the messages where they belong. */
const serialize = (request: Request): Uint8Array => {
  const others = generated.call(request);
  const own = messages.get(request) ?? [];
  const isFinalAt = others.length - (request.getIsFinal() ? isFinalSize : 0);
  const writer = new ProtobufWriter(
    own.reduce((sum, { capacity }) => sum + capacity, others.length),
  );
  writer.fields(others.subarray(isFinalAt));
  for (const { message } of own.toReversed()) {
    writer.message(3, (proposed) => writeMessage(proposed, message));
  }
  writer.fields(others.subarray(0, isFinalAt));
  return writer.finish();
};

/** Takes the place of the generated code, for the whole process; doing it again is harmless. */
export const writeProposedMessagesOnce = (): void => {
  Object.assign(BatchAppendReq, { ProposedMessage });
  Object.assign(BatchAppendReq.prototype, {
    addProposedMessages(this: Request, message: ProposedMessage): void {
      const own = messages.get(this);
      if (own === undefined) messages.set(this, [message]);
      else own.push(message);
    },
    serializeBinary(this: Request): Uint8Array {
      return serialize(this);
    },
  });
};
