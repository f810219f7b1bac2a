import { afterEach, beforeEach, expect, test } from 'vitest';
import { aChannelCreated } from '../../tests/support/channel-examples.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { type Person, startWriteSide, type WriteSide } from '../../tests/support/write-side.ts';

let side: WriteSide;
let root: Person;
beforeEach(async () => {
  side = await startWriteSide();
  root = await side.root();
});
afterEach(() => side.stop());

const refusal = (address: string) => ({
  success: false,
  code: 'channel.type-retired',
  message: `Channel type OhMyGPT is retired; use type OpenAI with the base URL ${address}`,
});

test('a new channel of a retired type is refused, and the error names what to use', async () => {
  const channel = { type: 7, name: 'main', key: 'sk-1', models: 'gpt-4o' };
  const { body } = await root.call('POST', '/api/channel/', { body: channel });
  expect(body).toMatchObject(refusal('https://api.ohmygpt.com'));
});

test('a stored channel of a retired type is not tested, and the error names what to use', async () => {
  const event = aChannelCreated({ type: 7, baseUrl: 'https://mine.test' });
  const recorded = { event, eventId: 'e-1', metadata: aMetadata() };
  await side.eventStore.append('channel-3', [recorded], 'no-stream');
  const { body } = await root.call('GET', '/api/channel/test/3');
  expect(body).toMatchObject(refusal('https://mine.test'));
  expect(side.events('ChannelTested')).toEqual([]);
});
