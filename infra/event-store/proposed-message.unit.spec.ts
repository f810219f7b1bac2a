import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  BatchAppendReq,
  messageBytes,
  type Proposed,
  requestBytes,
  textUuid,
} from '../../tests/support/append-request.ts';
import { eventOfTexts, writeProposedMessagesOnce } from './proposed-message.ts';

/** As the client makes it of one of its events. */
const messageOf = ({ id, type, data, metadata }: Proposed) => {
  const message = new BatchAppendReq.ProposedMessage();
  message.setId(textUuid(id));
  message.getMetadataMap().set('type', type);
  message.getMetadataMap().set('content-type', 'application/json');
  message.setData(Buffer.from(data).toString('base64'));
  message.setCustomMetadata(new TextEncoder().encode(metadata));
  return message;
};

/** As the client makes it of an event of ours. */
const messageOfTexts = ({ id, type, data, metadata }: Proposed) => {
  const event = eventOfTexts(id, type, { data, metadata });
  const message = new BatchAppendReq.ProposedMessage();
  message.setId(textUuid(event.id));
  message.getMetadataMap().set('type', event.type);
  message.getMetadataMap().set('content-type', event.contentType);
  message.setData(event.data);
  return message;
};

const emptyRequest = () => {
  const request = new BatchAppendReq();
  request.setCorrelationId(textUuid('a5b1a0f0-0000-4000-8000-000000000001'));
  return request;
};

/** A request, as the client fills it; it reads the length of each message first. */
const requestOf = (messages: readonly ReturnType<typeof messageOf>[], isFinal: boolean) => {
  const request = emptyRequest();
  request.setIsFinal(isFinal);
  let length = 0;
  for (const message of messages) {
    length += message.serializeBinary().length;
    request.addProposedMessages(message);
  }
  return { bytes: Buffer.from(request.serializeBinary()).toString('hex'), length };
};

const text = fc.string({ unit: 'binary', maxLength: 400 });
const samples = fc.sample(fc.record({ id: fc.uuid(), type: text, data: text, metadata: text }), 50);
/** What each sample is sent as: two messages, one that is not the last, and none. */
const sent = samples.flatMap((sample): (readonly [readonly Proposed[], boolean])[] => [
  [[sample, { ...sample, data: '' }], true],
  [[{ ...sample, metadata: '' }], false],
  [[], true],
]);

beforeAll(writeProposedMessagesOnce);

test.each([
  ['of the client', messageOf],
  ['of texts', messageOfTexts],
])('events %s are the same bytes as the generated code writes', (_kind, toMessage) => {
  for (const [proposed, isFinal] of sent) {
    const generated = proposed.map((one) => messageBytes(one, textUuid(one.id)));
    const own = requestOf(proposed.map(toMessage), isFinal);
    expect(own.bytes).toBe(requestBytes(emptyRequest(), generated, isFinal).toString('hex'));
    // The client fills a request by it: never more than it takes it for, nor much less.
    const exact = generated.reduce((sum, { length }) => sum + length, 0);
    expect(own.length).toBeGreaterThanOrEqual(exact);
    expect(own.length).toBeLessThanOrEqual(3 * exact + 400 * proposed.length);
  }
});
