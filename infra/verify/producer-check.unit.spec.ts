import { expect, test } from 'vitest';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import { aMetadata } from '../../tests/support/metadata-examples.ts';
import type { ConcernedEvent } from './concerns.ts';
import { Findings } from './findings.ts';
import { ProducerCheck } from './producer-check.ts';

const userId = 7;

/** What the check notes of a log that holds these events. */
const notesOf = (events: readonly Event[]): readonly string[] => {
  const findings = new Findings();
  const check = new ProducerCheck(findings);
  for (const [index, event] of events.entries()) {
    const place = {
      revision: BigInt(index),
      position: BigInt(index),
      streamId: `account-${userId}`,
    };
    const recorded = { event, eventId: `e${index}`, metadata: aMetadata(), ...place };
    check.see(recorded as Recorded<ConcernedEvent<'producers'>>);
  }
  check.end();
  return findings.notes;
};

const givenUp = (relayId: string, producerId: number): Event[] => {
  const leaseId = `${relayId}.${userId}.70.1`;
  const lease = { userId, tokenId: 70, leaseId, relayId, amount: 1, ask: 1, producerId };
  return [
    { type: 'QuotaLeased', data: lease },
    { type: 'LeaseExpired', data: { userId, leaseId, unspent: 1 } },
  ];
};

test('a relay that was given up and never returned is noted, and one whose journal was read is not', () => {
  const closed = { userId, relayId: 'relay.found-1', producerId: 9, last: 0 };
  expect(
    notesOf([
      ...givenUp('relay.lost-1', 8),
      ...givenUp('relay.found-1', 9),
      { type: 'ProducerClosed', data: closed },
    ]),
  ).toEqual([
    'relay relay.lost-1 was closed in 1 accounts without its journal: its last records are missing',
  ]);
});

test('a journal that was damaged is noted once, however many accounts it held', () => {
  const damaged = (producerId: number): Event[] => [
    ...givenUp('relay.hurt-1', producerId),
    {
      type: 'ProducerClosed',
      data: { userId, relayId: 'relay.hurt-1', producerId, last: 0, damaged: true },
    },
  ];
  expect(notesOf([...damaged(8), ...damaged(9)])).toEqual([
    'the journal of relay relay.hurt-1 was damaged: charges may be missing',
  ]);
});
