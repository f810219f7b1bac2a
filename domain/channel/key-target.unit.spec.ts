import { describe, test } from 'vitest';
import {
  aChangeChannel,
  aChannelCreated,
  aCreateChannel,
  someSettings,
} from '../../tests/support/channel-examples.ts';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import { channelDecider } from './decider.ts';
import type { ChannelSettings } from './events.ts';

const given = deciderSpec(channelDecider);
const original: Partial<ChannelSettings> = { baseUrl: 'https://api.example' };

const elsewhere: readonly Partial<ChannelSettings>[] = [
  { ...original, baseUrl: 'https://evil.example' },
  { ...original, baseUrl: 'http://api.example' },
  { ...original, baseUrl: '' },
  { ...original, type: 14 },
  { ...original, setting: '{"proxy":"http://evil.example:3128"}' },
];

describe.each(elsewhere)('a key is not sent elsewhere by %j', (settings) => {
  test('unless it is entered again', () => {
    given(aChannelCreated(original))
      .when(aChangeChannel(settings))
      .thenRejected('channel.key-needed');
    given(aChannelCreated(original))
      .when(aChangeChannel(settings, 'sealed:anew'))
      .thenEvents({
        type: 'ChannelChanged',
        data: {
          channelId: 3,
          settings: someSettings(settings),
          previous: someSettings(original),
          sealedKey: 'sealed:anew',
        },
      });
  });

  test('nor by a copy', () => {
    const { data, ...rest } = aCreateChannel(settings);
    given()
      .when({ ...rest, data: { ...data, keyFrom: someSettings(original) } })
      .thenRejected('channel.key-needed');
    given()
      .when({ ...rest, data })
      .thenEvents(aChannelCreated(settings));
  });
});

describe('a key stays', () => {
  test.each([
    [{ ...original, name: 'other', priority: 3 }],
    [{ ...original, baseUrl: 'https://api.example/', weight: 1 }],
    [{ ...original, setting: '{"force_format":true}' }],
  ] as const)('with %j', (settings) =>
    given(aChannelCreated(original))
      .when(aChangeChannel(settings))
      .thenState({ sealedKey: 'sealed:key' }),
  );

  test("where the provider's own address is written out", () =>
    given(aChannelCreated())
      .when(aChangeChannel({ baseUrl: 'https://api.openai.com' }))
      .thenState({ sealedKey: 'sealed:key' }));

  test('with the proxy that it had', () => {
    const proxied = { setting: '{"proxy":"http://proxy.example:3128"}' };
    given(aChannelCreated(proxied))
      .when(
        aChangeChannel({
          setting: '{"thinking_to_content":true,"proxy":"http://proxy.example:3128"}',
        }),
      )
      .thenState({ sealedKey: 'sealed:key' });
    given(aChannelCreated(proxied)).when(aChangeChannel()).thenRejected('channel.key-needed');
  });
});
