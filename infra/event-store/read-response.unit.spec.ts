import { createRequire } from 'node:module';
import type { ResolvedEvent } from '@eventstore/db-client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEventFrame } from './read-response.ts';

const require = createRequire(import.meta.url);
const { ReadResp } = require('@eventstore/db-client/generated/streams_pb.js');
const { Empty, StreamIdentifier, UUID } = require('@eventstore/db-client/generated/shared_pb.js');
const { convertGrpcEvent } = require('@eventstore/db-client/dist/utils/convertGrpcEvent.js');

/** What the client's generated code is made of. */
const requireOfClient = createRequire(
  require.resolve('@eventstore/db-client/generated/streams_pb.js'),
);
const { BinaryReader } = requireOfClient('google-protobuf');

/** By the part of the generated code that the product leaves alone: other specs of this worker may run before. */
const generatedResponse = (frame: Uint8Array) =>
  ReadResp.deserializeBinaryFromReader(new ReadResp(), new BinaryReader(frame));

const { ReadEvent } = ReadResp;
const { RecordedEvent } = ReadEvent;

const samples = fc.sample(
  fc.record({
    id: fc.uuid(),
    streamId: fc.string({ unit: 'binary', minLength: 1 }),
    type: fc.string({ unit: 'binary', maxLength: 300 }),
    revision: fc.maxSafeNat(),
    position: fc.option(fc.maxSafeNat()),
    data: fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 400 }),
      fc.constant(new Uint8Array()),
    ),
    metadata: fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }),
      fc.constant(new Uint8Array()),
    ),
    contentType: fc.constantFrom('application/json', 'application/octet-stream', null),
    created: fc.option(fc.nat().map((ticks) => `63${ticks}0000000`)),
  }),
  300,
);
type Sample = (typeof samples)[number];

const recordedOf = (sample: Sample) => {
  const recorded = new RecordedEvent();
  const uuid = new UUID();
  uuid.setString(sample.id);
  recorded.setId(uuid);
  const stream = new StreamIdentifier();
  stream.setStreamName(Buffer.from(sample.streamId));
  recorded.setStreamIdentifier(stream);
  recorded.setStreamRevision(String(sample.revision));
  recorded.setPreparePosition(String(sample.position ?? 0));
  recorded.setCommitPosition(String(sample.position ?? 0));
  const fields = recorded.getMetadataMap();
  fields.set('type', sample.type);
  if (sample.contentType !== null) fields.set('content-type', sample.contentType);
  if (sample.created !== null) fields.set('created', sample.created);
  recorded.setCustomMetadata(Uint8Array.from(sample.metadata));
  recorded.setData(Uint8Array.from(sample.data));
  return recorded;
};

/** The bytes of what is not JSON may be in a buffer or in a bare array. */
const comparable = ({ event: recorded, ...place }: ResolvedEvent) => {
  const metadata: unknown = recorded?.metadata;
  const isBytes = metadata instanceof Uint8Array;
  return {
    ...place,
    event: { ...recorded, metadata: isBytes ? Uint8Array.from(metadata) : metadata },
  };
};

const responseOf = (sample: Sample) => {
  const event = new ReadEvent();
  event.setEvent(recordedOf(sample));
  if (sample.position === null) event.setNoPosition(new Empty());
  else event.setCommitPosition(String(sample.position));
  const response = new ReadResp();
  response.setEvent(event);
  return response;
};

const [plain] = samples;
if (plain === undefined) throw new Error('there are samples');
const whole: Sample = { ...plain, position: 7 };

test('an event in a frame is the event that the generated code reads there', () => {
  const placed = samples.filter(({ position }) => position !== null);
  const frames = placed.map((sample): Uint8Array => responseOf(sample).serializeBinary());
  const resolved = frames.map((frame) => readEventFrame(frame)?.getEvent().resolve());
  const read = resolved.map((event) => event && comparable(event));
  const generated = frames.map((frame) =>
    comparable(convertGrpcEvent(generatedResponse(frame).getEvent())),
  );
  expect(frames.length).toBeGreaterThan(100);
  expect(read).toEqual(generated);
});

test('an event keeps its content after the frame has been used for something else', () => {
  const binary = { ...whole, contentType: null, data: Buffer.from([0, 1, 254]) };
  const frame: Uint8Array = responseOf(binary).serializeBinary();
  const resolved = readEventFrame(frame)?.getEvent().resolve();
  frame.fill(0);
  expect(resolved?.event?.data).toEqual(Uint8Array.from([0, 1, 254]));
  expect(resolved?.event?.streamId).toBe(whole.streamId);
});

test('a frame cut short anywhere is left to the generated code', () => {
  const frame: Uint8Array = responseOf(whole).serializeBinary();
  expect(readEventFrame(frame)).not.toBeNull();
  for (let size = 0; size < frame.length; size += 1) {
    expect(readEventFrame(frame.slice(0, size))).toBeNull();
  }
});

test('links, events without a position or with structured ids are left to the generated code', () => {
  const link = responseOf(whole);
  link.getEvent().setLink(recordedOf(whole));
  const structured = responseOf(whole);
  const id = new UUID();
  id.setStructured(new UUID.Structured());
  structured.getEvent().getEvent().setId(id);
  const anonymous = responseOf(whole);
  anonymous.getEvent().getEvent().clearId();
  const far = responseOf(whole);
  far.getEvent().setCommitPosition('18446744073709551615');
  const nowhere = responseOf({ ...whole, position: null });
  for (const response of [link, structured, anonymous, far, nowhere]) {
    expect(readEventFrame(response.serializeBinary())).toBeNull();
  }
});

test('fields of a later version are left to the generated code', () => {
  const frame: Uint8Array = responseOf(whole).serializeBinary();
  // Field 15 behind the event, of a number and of bytes.
  expect(readEventFrame(Buffer.concat([frame, Buffer.from([0x78, 1])]))).toBeNull();
  expect(readEventFrame(Buffer.concat([frame, Buffer.from([0x7a, 1, 9])]))).toBeNull();
});

test('frames of a subscription that hold no event are left to the generated code', () => {
  const confirmed = new ReadResp();
  confirmed.setConfirmation(new ReadResp.SubscriptionConfirmation());
  const checkpoint = new ReadResp();
  checkpoint.setCheckpoint(new ReadResp.Checkpoint());
  const caughtUp = new ReadResp();
  caughtUp.setCaughtUp(new ReadResp.CaughtUp());
  for (const response of [new ReadResp(), confirmed, checkpoint, caughtUp]) {
    expect(readEventFrame(response.serializeBinary())).toBeNull();
  }
});
