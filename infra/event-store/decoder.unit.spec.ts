import { describe, expect, test } from 'vitest';
import { object, whole } from '../../domain/shared/shape.ts';
import { aRequestCharged } from '../../tests/support/account-events.ts';
import { aChannelCreated } from '../../tests/support/channel-examples.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import { createDecoder, decodeProductEvent } from './decoder.ts';

const metadata = { ...aMetadata(), schemaVersion: 1 };
const charged = aRequestCharged();
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test('what the product writes can be read, with fields that a newer version added', () => {
  for (const event of [charged, aChannelCreated()]) {
    const { type, data } = plain(event);
    expect(decodeProductEvent({ type, data, metadata })).toEqual({ data, metadata });
  }
  const newer = { ...charged.data, noted: true, call: { ...charged.data.call, place: 'here' } };
  expect(decodeProductEvent({ type: charged.type, data: newer, metadata })).toEqual({
    data: newer,
    metadata,
  });
});

describe('an event cannot be read', () => {
  const reading = (data: unknown, about: unknown = metadata) =>
    decodeProductEvent({ type: 'RequestCharged', data, metadata: about });
  const { data } = charged;
  const { amount: _amount, ...withoutAmount } = data;

  test.each([
    ['that is no JSON', new Uint8Array([1, 2]), 'data.userId is not a whole number'],
    ['whose text is broken', '{"userId":', 'data is not an object'],
    ['without its data', null, 'data is not an object'],
    ['that lacks a field', withoutAmount, 'data.amount is not a whole number'],
    ['with half a unit', { ...data, amount: 0.5 }, 'data.amount is not a whole number'],
    [
      'with an amount beyond all sums',
      { ...data, amount: 1e300 },
      'data.amount is not a whole number',
    ],
    ['that has null where nothing may be null', { ...data, end: null }, 'data.end is not a text'],
    [
      'with a time that is none',
      { ...data, call: { ...data.call, startedAt: 'yesterday' } },
      'data.call.startedAt is not a time',
    ],
    [
      'with a price that is no number',
      { ...data, quote: { ...data.quote, groupRatio: 'cheap' } },
      'data.quote.groupRatio is not a decimal number as text',
    ],
    ['with a quote of no kind', { ...data, quote: { kind: 'gift' } }, 'data.quote.kind is unknown'],
    [
      'with something else in a list',
      { ...data, call: { ...data.call, channelsTried: [1, 'two'] } },
      'data.call.channelsTried[1] is not a whole number',
    ],
  ])('%s', (_, broken, reason) => {
    expect(reading(broken)).toBe(reason);
  });

  test('whose type is unknown, also when every object has a field of that name', () => {
    for (const type of ['Happened', 'constructor', '__proto__', '']) {
      expect(decodeProductEvent({ type, data: {}, metadata })).toBe('its type is unknown');
    }
  });

  test('without the metadata that every event has', () => {
    expect(reading(data, null)).toBe('metadata is not an object');
    expect(reading(data, { ...metadata, occurredAt: 'now' })).toBe(
      'metadata.occurredAt is not a time',
    );
    expect(reading(data, { ...metadata, schemaVersion: undefined })).toBe(
      'metadata.schemaVersion is not a whole number',
    );
    expect(reading(data, { ...metadata, actor: {} })).toBe('metadata.actor.kind is not a text');
  });

  test('of a version that is newer than the catalogue, or that no release wrote', () => {
    expect(reading(data, { ...metadata, schemaVersion: 2 })).toBe('its version 2 is newer than 1');
    expect(reading(data, { ...metadata, schemaVersion: 0 })).toBe('no release wrote its version 0');
  });
});

test('an event of an older version is brought to the current shape, step by step', () => {
  const decode = createDecoder(() => ({
    category: 'account',
    auditSubject: null,
    firstVersion: 2,
    version: 4,
    upcasters: [
      ({ cents }) => ({ minor: cents }),
      ({ minor }) => ({ amountMinor: minor, seen: 0 }),
    ],
    shape: object({ amountMinor: whole, seen: whole }),
  }));
  const dataOf = (schemaVersion: number, data: object) => {
    const decoded = decode({ type: 'Paid', data, metadata: { ...metadata, schemaVersion } });
    return typeof decoded === 'string' ? decoded : decoded.data;
  };
  expect(dataOf(2, { cents: 5 })).toEqual({ amountMinor: 5, seen: 0 });
  expect(dataOf(3, { minor: 5 })).toEqual({ amountMinor: 5, seen: 0 });
  expect(dataOf(4, { amountMinor: 5, seen: 7 })).toEqual({ amountMinor: 5, seen: 7 });
  expect(dataOf(1, {})).toBe('no release wrote its version 1');
  expect(dataOf(5, {})).toBe('its version 5 is newer than 4');
  expect(dataOf(2, {})).toBe('data.amountMinor is not a whole number');
});
