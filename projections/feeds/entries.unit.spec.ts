import { expect, test } from 'vitest';
import { someSettings } from '../../tests/support/channel-examples.ts';
import { channelEntry } from './entries.ts';

test('no relay receives the cost of a channel', () => {
  const row = {
    channel_id: 3,
    status: 1,
    sealed_key: 'sealed:key',
    settings: JSON.stringify(someSettings({ costRatio: '0.8' })),
    tag: 'blue',
    deleted: false,
    position: 9,
  };
  const vault = { unseal: () => 'key', sealForRelays: () => 'for relays' };
  const { value } = channelEntry(row as never, { vault, logger: {} } as never);
  expect(value).toEqual({
    channelId: 3,
    status: 1,
    sealedKey: 'for relays',
    settings: someSettings({ tag: 'blue' }),
  });
});
