import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import {
  BatchAppendReq,
  messageBytes,
  requestBytes,
  structuredUuid,
  textUuid,
} from '../../../../tests/support/append-request.ts';
import { ProtobufError } from '../../../protobuf/field-reader.ts';
import { decodeAppendPart } from './batch-append.ts';

const require = createRequire(import.meta.url);
const { StreamIdentifier } = require('@eventstore/db-client/generated/shared_pb.js');
/** What the client's generated code is made of. */
const requireOfClient = createRequire(
  require.resolve('@eventstore/db-client/generated/streams_pb.js'),
);
const { Timestamp } = requireOfClient('google-protobuf/google/protobuf/timestamp_pb.js');

const id = 'c0ffee00-1234-4abc-8def-001122334455';
const asText = () => textUuid(id.toUpperCase());
const asHalves = () => structuredUuid(0xc0ffee0012344abcn, 0x8def001122334455n);

const requestOf = (uuid: () => unknown): Buffer => {
  const options = new BatchAppendReq.Options();
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from('accöunt-7').toString('base64'));
  options.setStreamIdentifier(identifier);
  options.setStreamPosition('300');
  options.setDeadline(Timestamp.fromDate(new Date(1_790_000_000_123)));
  const request = new BatchAppendReq();
  request.setCorrelationId(uuid());
  request.setOptions(options);
  const proposed = { type: 'Größe', data: '{"text":"ä"}', metadata: '{}' };
  return requestBytes(request, [messageBytes(proposed, uuid()), messageBytes(null)], true);
};

test.each([
  ['text', asText],
  ['two halves', asHalves],
])('an append of the generated code is read, with ids as %s', (_form, uuid) => {
  expect(decodeAppendPart(requestOf(uuid))).toEqual({
    correlationId: id,
    options: { stream: 'accöunt-7', expected: 300, deadlineMs: 1_790_000_000_123 },
    events: [
      {
        eventId: id,
        type: 'Größe',
        isJson: true,
        data: Buffer.from('{"text":"ä"}'),
        metadata: Buffer.from('{}'),
      },
      null,
    ],
    isFinal: true,
  });
});

test('bytes that end too early or are changed are refused, or read as something else', () => {
  const whole = requestOf(asHalves);
  const outcomeOf = (bytes: Buffer): unknown => {
    try {
      return typeof decodeAppendPart(bytes);
    } catch (error) {
      return error;
    }
  };
  const cut = [...whole.keys()].map((size) => outcomeOf(whole.subarray(0, size)));
  const changed = [...whole.keys()].flatMap((at) =>
    [0, 0x7f, 0x80, 0xff].map((byte) => {
      const bytes = Buffer.from(whole);
      bytes[at] = byte;
      return outcomeOf(bytes);
    }),
  );
  const outcomes = [...cut, ...changed];
  expect(outcomes.every((one) => one === 'object' || one instanceof ProtobufError)).toBe(true);
  expect(outcomes.some((one) => one instanceof ProtobufError)).toBe(true);
});
