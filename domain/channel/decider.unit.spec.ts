import { describe, test } from 'vitest';
import {
  aChangeChannel,
  aChannelAutoDisabled,
  aChannelCommand,
  aChannelCreated,
  aChannelEvent,
  aCreateChannel,
  someSettings,
} from '../../tests/support/channel-examples.ts';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import { channelDecider } from './decider.ts';

const given = deciderSpec(channelDecider);
const autoDisable = aChannelCommand('AutoDisableChannel', { reason: 'credit balance is too low' });

describe('a channel', () => {
  test('is added', () => given().when(aCreateChannel()).thenEvents(aChannelCreated()));
  test('is added switched off, as a copy of one that is', () =>
    given().when(aCreateChannel({}, false)).thenEvents(aChannelCreated({}, 2)));
  test('is added once', () =>
    given(aChannelCreated()).when(aCreateChannel()).thenRejected('channel.already-created'));
  test('is kept tidy: trimmed, no double names, no trailing slash, a group', () =>
    given()
      .when(
        aCreateChannel({
          name: ' main ',
          models: ['a', ' a', '', 'b'],
          groups: [''],
          baseUrl: 'https://api.example//',
        }),
      )
      .thenEvents(aChannelCreated({ models: ['a', 'b'], baseUrl: 'https://api.example' })));
  test('of Spark has a version even when none is named', () =>
    given()
      .when(aCreateChannel({ type: 18 }))
      .thenEvents(aChannelCreated({ type: 18, other: 'v2.1' })));
  test.each([
    [{ name: ' ' }, 'channel.name-required'],
    [{ models: [] }, 'channel.models-required'],
    [{ models: ['m'.repeat(256)] }, 'channel.model-name-length'],
    [{ priority: 0.5 }, 'channel.priority-invalid'],
    [{ priority: -1000 }, 'channel.priority-invalid'],
    [{ weight: -1 }, 'channel.weight-invalid'],
    [{ modelMapping: '[]' }, 'channel.json-invalid'],
    [{ paramOverride: '{' }, 'channel.json-invalid'],
    [
      { paramOverride: '{"operations":[{"mode":"set","path":"a"}]}' },
      'channel.param-override-invalid',
    ],
    [{ setting: '{"header_override":{"Authorization":"x"}}' }, 'channel.header-override-invalid'],
    [{ type: 28 }, 'channel.type-unknown'],
    [{ type: 7 }, 'channel.type-retired'],
    [{ type: 3 }, 'channel.base-url-required'],
    [{ baseUrl: 'api.example' }, 'channel.base-url-invalid'],
    [{ type: 39 }, 'channel.other-required'],
    [{ type: 41, other: '{"a":"europe"}' }, 'channel.region-default-required'],
    [{ type: 41, other: 'evil.example/x' }, 'channel.region-invalid'],
    [{ type: 41, other: '{"default":"us-east1","m":"evil.example#"}' }, 'channel.region-invalid'],
    [{ maxInputTokens: -1 }, 'channel.max-input-invalid'],
    [{ maxInputTokens: 0.5 }, 'channel.max-input-invalid'],
    [{ costRatio: '80%' }, 'channel.cost-ratio-invalid'],
    [{ costRatio: '-0.1' }, 'channel.cost-ratio-invalid'],
    [{ costRatio: '1000.1' }, 'channel.cost-ratio-invalid'],
    [{ costRatio: '1e-7' }, 'channel.cost-ratio-invalid'],
    [{ costRatio: '0.1234567' }, 'channel.cost-ratio-invalid'],
  ] as const)('is refused with %j', (settings, code) => {
    given().when(aCreateChannel(settings)).thenRejected(code);
    given(aChannelCreated()).when(aChangeChannel(settings)).thenRejected(code);
  });
});

describe('an operator', () => {
  test('changes a channel, and the log keeps both ways it was', () =>
    given(aChannelCreated())
      .when(aChangeChannel({ priority: 5 }))
      .thenEvents({
        type: 'ChannelChanged',
        data: {
          channelId: 3,
          settings: someSettings({ priority: 5 }),
          previous: someSettings(),
        },
      }));
  test('sets the cost of a channel, in one spelling, and reverts it', () => {
    const cheaper = {
      type: 'ChannelChanged',
      data: {
        channelId: 3,
        settings: someSettings({ costRatio: '0.8' }),
        previous: someSettings(),
      },
    } as const;
    given(aChannelCreated())
      .when(aChangeChannel({ costRatio: ' 00.80 ' }))
      .thenEvents(cheaper);
    given(aChannelCreated(), cheaper)
      .when(aChangeChannel({ costRatio: '0.800' }))
      .thenNothing();
    given(aChannelCreated(), cheaper)
      .when(aChangeChannel({ costRatio: '' }))
      .thenEvents({
        type: 'ChannelChanged',
        data: {
          channelId: 3,
          settings: someSettings(),
          previous: someSettings({ costRatio: '0.8' }),
        },
      });
  });
  test('changes a channel of a retired type, and moves it to a served one', () => {
    const previous = someSettings({ type: 7 });
    const sealedKey = 'sealed:new';
    for (const change of [{ type: 7, priority: 5 }, { type: 1 }]) {
      given(aChannelCreated({ type: 7 }))
        .when(aChangeChannel(change, sealedKey))
        .thenEvents({
          type: 'ChannelChanged',
          data: { channelId: 3, settings: someSettings(change), previous, sealedKey },
        });
    }
  });
  test('changes nothing by saving it as it is', () =>
    given(aChannelCreated()).when(aChangeChannel()).thenNothing());
  test('replaces its key', () =>
    given(aChannelCreated())
      .when(aChangeChannel({}, 'sealed:other'))
      .thenEvents({
        type: 'ChannelKeyReplaced',
        data: { channelId: 3, sealedKey: 'sealed:other' },
      }));
  test('switches it off and on manually', () => {
    given(aChannelCreated())
      .when(aChannelCommand('DisableChannel', {}))
      .thenEvents(aChannelEvent('ChannelDisabled'));
    given(aChannelCreated({}, 2))
      .when(aChannelCommand('EnableChannel', {}))
      .thenEvents(aChannelEvent('ChannelEnabled'));
    given(aChannelCreated()).when(aChannelCommand('EnableChannel', {})).thenNothing();
    given(aChannelCreated({}, 2)).when(aChannelCommand('DisableChannel', {})).thenNothing();
  });
  test('switches one on that the gateway had given up, or off for good', () => {
    given(aChannelCreated(), aChannelAutoDisabled())
      .when(aChannelCommand('EnableChannel', {}))
      .thenEvents(aChannelEvent('ChannelEnabled'));
    given(aChannelCreated(), aChannelAutoDisabled())
      .when(aChannelCommand('DisableChannel', {}))
      .thenEvents(aChannelEvent('ChannelDisabled'));
  });
  test('tags it, and takes the tag off', () => {
    const tagged = {
      type: 'ChannelTagged',
      data: { channelId: 3, tag: 'eu', previous: '' },
    } as const;
    given(aChannelCreated())
      .when(aChannelCommand('TagChannel', { tag: 'eu' }))
      .thenEvents(tagged);
    given(aChannelCreated(), tagged)
      .when(aChannelCommand('TagChannel', { tag: ' eu ' }))
      .thenNothing();
    given(aChannelCreated(), tagged)
      .when(aChannelCommand('TagChannel', { tag: '' }))
      .thenEvents({ type: 'ChannelTagged', data: { channelId: 3, tag: '', previous: 'eu' } });
  });
  test('deletes it, once', () => {
    given(aChannelCreated())
      .when(aChannelCommand('DeleteChannel', {}))
      .thenEvents(aChannelEvent('ChannelDeleted'));
    given(aChannelCreated(), aChannelEvent('ChannelDeleted'))
      .when(aChannelCommand('DeleteChannel', {}))
      .thenRejected('channel.unknown');
  });
});

describe('the gateway', () => {
  test('gives up a channel that fails, once', () => {
    given(aChannelCreated()).when(autoDisable).thenEvents(aChannelAutoDisabled());
    given(aChannelCreated(), aChannelAutoDisabled()).when(autoDisable).thenNothing();
  });
  test('leaves alone what the operator keeps to themself', () => {
    given(aChannelCreated({ autoBan: false }))
      .when(autoDisable)
      .thenNothing();
    given(aChannelCreated({}, 2)).when(autoDisable).thenNothing();
  });
  test('takes back only what it gave up itself', () => {
    const back = aChannelCommand('AutoEnableChannel', {});
    given(aChannelCreated(), aChannelAutoDisabled())
      .when(back)
      .thenEvents(aChannelEvent('ChannelAutoEnabled'));
    given(aChannelCreated({}, 2)).when(back).thenNothing();
  });
  test('records tests and balances, whatever the state', () => {
    const facts = { model: 'gpt-4o', success: false, responseTimeMs: 812, message: 'status 401' };
    given(aChannelCreated({}, 2))
      .when(aChannelCommand('RecordTest', facts))
      .thenEvents({ type: 'ChannelTested', data: { channelId: 3, ...facts } });
    given(aChannelCreated())
      .when(aChannelCommand('RecordBalance', { balance: '12.34' }))
      .thenEvents({ type: 'ChannelBalanceRead', data: { channelId: 3, balance: '12.34' } });
    given(aChannelCreated())
      .when(aChannelCommand('RecordBalance', { balance: 'plenty' }))
      .thenRejected('channel.balance-invalid');
  });
});
