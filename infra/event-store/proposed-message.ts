import { createRequire } from 'node:module';
import type { EventData } from '@eventstore/db-client';

/*
 * The client makes base64 of each event's JSON, which its generated code decodes byte by byte, and serialises each
 * event twice, once only to know its size: that is half of what a charge costs. Here is the same request
 * (`BatchAppendReq` of streams.proto), the same bytes, written once and by native code. It takes the place of the
 * generated classes; the integration specs of the store show that nodes read it.
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

/** Tag of a field of wire type 2: its length and its bytes follow. */
const tag = (field: number): number => (field << 3) | 2;

const varintSize = (value: number): number => {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) size += 1;
  return size;
};

const sizeOf = (content: Content): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.length;

/** With its tag and its length. */
const fieldSize = (size: number): number => 1 + varintSize(size) + size;

/** Of a field that is left out where it is empty. */
const optionalSize = (content: Content): number => {
  const size = sizeOf(content);
  return size === 0 ? 0 : fieldSize(size);
};

const idSize = ({ id }: Message): number => fieldSize(sizeOf(id));
const pairSize = (name: string, value: string): number =>
  fieldSize(sizeOf(name)) + fieldSize(sizeOf(value));

const messageSize = (message: Message): number => {
  let size = fieldSize(idSize(message));
  for (const [name, value] of message.properties) size += fieldSize(pairSize(name, value));
  return size + optionalSize(message.metadata) + optionalSize(message.data);
};

class Frame {
  readonly bytes: Buffer;
  #at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  open(field: number, size: number): void {
    this.bytes[this.#at] = tag(field);
    this.#at += 1;
    let rest = size;
    for (; rest > 0x7f; rest >>>= 7) {
      this.bytes[this.#at] = (rest & 0x7f) | 0x80;
      this.#at += 1;
    }
    this.bytes[this.#at] = rest;
    this.#at += 1;
  }

  raw(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  put(field: number, content: Content): void {
    const size = sizeOf(content);
    this.open(field, size);
    if (typeof content === 'string') {
      this.bytes.write(content, this.#at, size, 'utf8');
      this.#at += size;
    } else {
      this.raw(content);
    }
  }

  putOptional(field: number, content: Content): void {
    if (content.length > 0) this.put(field, content);
  }

  message(message: Message): void {
    this.open(1, idSize(message));
    this.put(2, message.id);
    for (const [name, value] of message.properties) {
      this.open(2, pairSize(name, value));
      this.put(1, name);
      this.put(2, value);
    }
    this.putOptional(3, message.metadata);
    this.putOptional(4, message.data);
  }
}

const fromBase64 = (content: Content): Content =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : content;

/** What the client calls of `ProposedMessage`. */
class ProposedMessage {
  readonly #properties = new Map<string, string>();
  #id = '';
  #metadata: Content = '';
  #data: Content | EventText = '';
  #message: Message | null = null;
  #size = 0;

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

  /** The client asks for it when the message is complete, for its length alone. */
  serializeBinary(): Readonly<{ length: number }> {
    return { length: this.size };
  }

  get size(): number {
    if (this.#size === 0) this.#size = messageSize(this.message);
    return this.#size;
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
  let total = others.length;
  for (const { size } of own) total += fieldSize(size);
  const frame = new Frame(total);
  frame.raw(others.subarray(0, isFinalAt));
  for (const { message, size } of own) {
    frame.open(3, size);
    frame.message(message);
  }
  frame.raw(others.subarray(isFinalAt));
  return frame.bytes;
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
