import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeProposedMessagesOnce } from './proposed-message.ts';

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

/** A message alone, whose size the client asks for, and then within its request. */
const written = (proposed: Proposed): readonly string[] => {
  const message = messageOf(proposed);
  const alone = Buffer.from(message.serializeBinary()).toString('hex');
  const request = new BatchAppendReq();
  request.addProposedMessages(message);
  request.addProposedMessages(messageOf({ ...proposed, data: '' }));
  return [alone, Buffer.from(request.serializeBinary()).toString('hex')];
};

test('a proposed event is the same bytes as the generated code writes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const samples = fc.sample(
    fc.record({ id: fc.uuid(), type: text, data: text, metadata: text }),
    50,
  );
  const generated = samples.map(written);
  writeProposedMessagesOnce();
  expect(samples.map(written)).toEqual(generated);
});
