import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventOfTexts, writeProposedMessagesOnce } from './proposed-message.ts';

const require = createRequire(import.meta.url);
const { BatchAppendReq } = require('@eventstore/db-client/generated/streams_pb.js');
const { UUID } = require('@eventstore/db-client/generated/shared_pb.js');

type Proposed = Readonly<{ id: string; type: string; data: string; metadata: string }>;

const messageOf = ({ id, type, data, metadata }: Proposed) => {
  const message = new BatchAppendReq.ProposedMessage();
  const uuid = new UUID();
  uuid.setString(id);
  message.setId(uuid);
  message.getMetadataMap().set('type', type);
  message.getMetadataMap().set('content-type', 'application/json');
  message.setData(Buffer.from(data).toString('base64'));
  message.setCustomMetadata(new TextEncoder().encode(metadata));
  return message;
};

/** A request, as the client fills it; it asks for the length of each message first. */
const requestOf = (messages: readonly ReturnType<typeof messageOf>[], isFinal: boolean) => {
  const request = new BatchAppendReq();
  const uuid = new UUID();
  uuid.setString('a5b1a0f0-0000-4000-8000-000000000001');
  request.setCorrelationId(uuid);
  request.setIsFinal(isFinal);
  let length = 0;
  for (const message of messages) {
    length += message.serializeBinary().length;
    request.addProposedMessages(message);
  }
  return { bytes: Buffer.from(request.serializeBinary()).toString('hex'), length };
};

/** As the client makes it of an event. */
const messageOfTexts = ({ id, type, data, metadata }: Proposed) => {
  const event = eventOfTexts(id, type, { data, metadata });
  const message = new BatchAppendReq.ProposedMessage();
  const uuid = new UUID();
  uuid.setString(event.id);
  message.setId(uuid);
  message.getMetadataMap().set('type', event.type);
  message.getMetadataMap().set('content-type', event.contentType);
  message.setData(event.data);
  return message;
};

test('proposed events are the same bytes as the generated code writes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const samples = fc.sample(
    fc.record({ id: fc.uuid(), type: text, data: text, metadata: text }),
    50,
  );
  const requests = (toMessage: typeof messageOf) =>
    samples.flatMap((sample) => [
      requestOf([toMessage(sample), toMessage({ ...sample, data: '' })], true),
      requestOf([toMessage({ ...sample, metadata: '' })], false),
      requestOf([], true),
    ]);
  const generated = requests(messageOf);
  writeProposedMessagesOnce();
  for (const toMessage of [messageOf, messageOfTexts]) {
    const own = requests(toMessage);
    expect(own.map(({ bytes }) => bytes)).toEqual(generated.map(({ bytes }) => bytes));
    // The client fills a request by them: never more than it takes them for, nor much less.
    for (const [i, { length }] of own.entries()) {
      const exact = generated[i]?.length ?? 0;
      expect(length).toBeGreaterThanOrEqual(exact);
      expect(length).toBeLessThan(3 * exact + 400);
    }
  }
});
