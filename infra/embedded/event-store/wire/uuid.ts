import { bytesTag, type FieldReader, varintTag } from '../../../protobuf/field-reader.ts';
import type { ProtobufWriter } from '../../../protobuf/protobuf-writer.ts';

export type UuidForm = 'string' | 'structured';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const fromHex = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );

/** From the two halves of a structured UUID. */
export const uuidFromBits = (high: bigint, low: bigint): string =>
  fromHex(
    BigInt.asUintN(64, high).toString(16).padStart(16, '0') +
      BigInt.asUintN(64, low).toString(16).padStart(16, '0'),
  );

/** From its sixteen bytes. */
export const uuidOf = (bytes: Buffer): string => fromHex(bytes.toString('hex'));

/** Lower case; null when it is no UUID. */
export const normalUuid = (text: string): string | null =>
  pattern.test(text) ? text.toLowerCase() : null;

const highTag = varintTag(1);
const lowTag = varintTag(2);

const decodeStructured = (fields: FieldReader): string => {
  let high = 0n;
  let low = 0n;
  while (fields.next()) {
    if (fields.tag === highTag) high = fields.integer();
    if (fields.tag === lowTag) low = fields.integer();
  }
  return uuidFromBits(high, low);
};

const structuredTag = bytesTag(1);
const textTag = bytesTag(2);

/** `event_store.client.UUID`: text or two halves. null when it is neither. */
export const decodeUuid = (fields: FieldReader): string | null => {
  while (fields.next()) {
    if (fields.tag === textTag) return normalUuid(fields.text());
    if (fields.tag === structuredTag) return decodeStructured(fields.message());
  }
  return null;
};

export const writeUuid = (writer: ProtobufWriter, uuid: string, form: UuidForm): void => {
  if (form === 'string') {
    writer.string(2, uuid);
    return;
  }
  const hex = uuid.replaceAll('-', '');
  writer.message(1, (structured) => {
    structured.uint64(2, BigInt(`0x${hex.slice(16)}`));
    structured.uint64(1, BigInt(`0x${hex.slice(0, 16)}`));
  });
};
