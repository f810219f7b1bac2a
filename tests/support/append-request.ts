import { createRequire } from 'node:module';

/*
 * Requests of `BatchAppendReq` as the client's generated code writes them, also in a process in which the product has taken
 * the place of its classes: `AppendReq.ProposedMessage`, which the product leaves alone, has the same fields.
 */
const require = createRequire(import.meta.url);
const pb = require('@eventstore/db-client/generated/streams_pb.js');
const { UUID } = require('@eventstore/db-client/generated/shared_pb.js');

export const { BatchAppendReq } = pb;

export type Proposed = Readonly<{ id: string; type: string; data: string; metadata: string }>;

export const textUuid = (id: string) => {
  const uuid = new UUID();
  uuid.setString(id);
  return uuid;
};

export const structuredUuid = (high: bigint, low: bigint) => {
  const uuid = new UUID();
  const halves = new UUID.Structured();
  // Signed, as the protocol has them.
  halves.setMostSignificantBits(String(BigInt.asIntN(64, high)));
  halves.setLeastSignificantBits(String(BigInt.asIntN(64, low)));
  uuid.setStructured(halves);
  return uuid;
};

/** The bytes of one proposed message; all fields empty where there is none. */
export const messageBytes = (
  proposed: Omit<Proposed, 'id'> | null,
  uuid: unknown = null,
): Buffer => {
  const message = new pb.AppendReq.ProposedMessage();
  if (uuid !== null) message.setId(uuid);
  if (proposed !== null) {
    message.getMetadataMap().set('type', proposed.type);
    message.getMetadataMap().set('content-type', 'application/json');
    message.setData(Buffer.from(proposed.data).toString('base64'));
    message.setCustomMetadata(Buffer.from(proposed.metadata).toString('base64'));
  }
  return Buffer.from(message.serializeBinary());
};

const lengthPrefix = (size: number): number[] =>
  size < 128 ? [size] : [(size & 127) | 128, ...lengthPrefix(size >>> 7)];
const messageTag = 0x1a;
/** Its tag and `true`; the last field. */
const isFinalBytes = Buffer.from([0x20, 0x01]);

/** `request` holds all fields but the messages and `is_final`. */
export const requestBytes = (
  request: { serializeBinary: () => Uint8Array },
  messages: readonly Buffer[],
  isFinal: boolean,
): Buffer =>
  Buffer.concat([
    request.serializeBinary(),
    ...messages.flatMap((bytes) => [
      Buffer.from([messageTag, ...lengthPrefix(bytes.length)]),
      bytes,
    ]),
    ...(isFinal ? [isFinalBytes] : []),
  ]);
