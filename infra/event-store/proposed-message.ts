import { createRequire } from 'node:module';

/*
 * The client's generated code decodes base64 byte by byte and serialises each proposed event twice,
 * once only to know its size: that is half of what a charge costs. Here is the same message
 * (`BatchAppendReq.ProposedMessage` of streams.proto) written once, by native code. It takes the
 * place of the generated serialiser; the integration specs of the store show that nodes read it.
 */

type Pb = typeof import('@eventstore/db-client/generated/streams_pb.js');
type Proposed = InstanceType<Pb['BatchAppendReq']['ProposedMessage']>;
/** The two uses of a writer that matter here; the package does not export its type. */
type Writer = Readonly<{
  writeSerializedMessage: (bytes: Uint8Array, start: number, end: number) => void;
}>;

const { BatchAppendReq } = createRequire(import.meta.url)(
  '@eventstore/db-client/generated/streams_pb.js',
) as Pb;

/** Tag of a field of wire type 2: its length and its bytes follow. */
const tag = (field: number): number => (field << 3) | 2;

const varintSize = (value: number): number => {
  let size = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) size += 1;
  return size;
};

class Frame {
  readonly bytes: Buffer;
  private at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  open(field: number, size: number): void {
    this.bytes[this.at] = tag(field);
    this.at += 1;
    let rest = size;
    for (; rest > 0x7f; rest >>>= 7) {
      this.bytes[this.at] = (rest & 0x7f) | 0x80;
      this.at += 1;
    }
    this.bytes[this.at] = rest;
    this.at += 1;
  }

  put(field: number, content: string | Uint8Array, encoding: 'utf8' | 'base64'): void {
    const size = sizeOf(content, encoding);
    this.open(field, size);
    if (typeof content === 'string') this.bytes.write(content, this.at, size, encoding);
    else this.bytes.set(content, this.at);
    this.at += size;
  }
}

const sizeOf = (content: string | Uint8Array, encoding: 'utf8' | 'base64'): number =>
  typeof content === 'string' ? Buffer.byteLength(content, encoding) : content.length;

/** With its tag and its length. */
const fieldSize = (size: number): number => 1 + varintSize(size) + size;

const encode = (message: Proposed): Uint8Array => {
  const id = message.getId()?.getString() ?? '';
  const idSize = fieldSize(Buffer.byteLength(id));
  const pairs = [...message.getMetadataMap().entries()].map(([key, value]) => {
    const text = String(value);
    const name = String(key);
    const size = fieldSize(Buffer.byteLength(name)) + fieldSize(Buffer.byteLength(text));
    return { name, text, size };
  });
  const metadata = message.getCustomMetadata();
  const data = message.getData();
  const metadataSize = sizeOf(metadata, 'base64');
  const dataSize = sizeOf(data, 'base64');
  let size = fieldSize(idSize);
  for (const pair of pairs) size += fieldSize(pair.size);
  if (metadataSize > 0) size += fieldSize(metadataSize);
  if (dataSize > 0) size += fieldSize(dataSize);
  const frame = new Frame(size);
  frame.open(1, idSize);
  frame.put(2, id, 'utf8');
  for (const pair of pairs) {
    frame.open(2, pair.size);
    frame.put(1, pair.name, 'utf8');
    frame.put(2, pair.text, 'utf8');
  }
  if (metadataSize > 0) frame.put(3, metadata, 'base64');
  if (dataSize > 0) frame.put(4, data, 'base64');
  return frame.bytes;
};

/** A message is complete when it is first asked for its size. */
const encoded = new WeakMap<Proposed, Uint8Array>();
const bytesOf = (message: Proposed): Uint8Array => {
  const known = encoded.get(message);
  if (known !== undefined) return known;
  const bytes = encode(message);
  encoded.set(message, bytes);
  return bytes;
};

/** Takes the place of the generated serialiser, for the whole process; doing it again is harmless. */
export const writeProposedMessagesOnce = (): void => {
  const { ProposedMessage } = BatchAppendReq;
  ProposedMessage.prototype.serializeBinary = function (this: Proposed) {
    return bytesOf(this);
  };
  Object.assign(ProposedMessage, {
    serializeBinaryToWriter: (message: Proposed, writer: Writer): void => {
      const bytes = bytesOf(message);
      writer.writeSerializedMessage(bytes, 0, bytes.length);
    },
  });
};
