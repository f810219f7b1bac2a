import { describe, expect, test } from 'vitest';
import {
  ask,
  balance,
  charged,
  countSlack,
  never,
  type Sending,
  startPoor,
  wordsIn,
} from '../support/relay/cut-off-harness.ts';
import type { Reply } from '../support/relay/relay-harness.ts';
import { type WireCase, wireCases } from './cut-off-wires.ts';

const sendings: readonly (readonly [string, Sending])[] = [
  ...[5, 20, 350].flatMap((wordsPerEvent) => [
    [`${wordsPerEvent} tokens an event`, { wordsPerEvent, eventsPerWrite: 1 }] as const,
    [
      `${wordsPerEvent} tokens an event, many events a read`,
      { wordsPerEvent, eventsPerWrite: Math.ceil(2_000 / wordsPerEvent) },
    ] as const,
  ]),
  ['an event in many reads', { wordsPerEvent: 100, eventsPerWrite: 1, pieceBytes: 61 }],
];

/** What one read of a stream may contain beyond the quota: an event, or a piece of 256 bytes. */
const slackOf = ({ wordsPerEvent }: Sending): number => Math.max(wordsPerEvent, 52);
/** Units that are left where they pay for no further piece. */
const restOf = ({ wordsPerEvent }: Sending): number => wordsPerEvent + 16;

const expectCutOff = (wire: WireCase, reply: Reply): void => {
  expect(reply.status).toBe(200);
  expect(reply.broken).toBe(false);
  expect(wire.ending(reply)).toMatchObject(wire.expected as object);
};

describe.each(wireCases.map((wire) => [wire.name, wire] as const))('%s', (_name, wire) => {
  test.each(sendings)(
    'ends where an account of 3,000 units does: %s',
    async (_sending, sending) => {
      const relay = await startPoor(wire, sending, { account: balance, token: never });
      const reply = await ask(relay, wire);
      expectCutOff(wire, reply);
      const { end } = await relay.journal.used();
      const { all, output } = charged(relay);
      expect(end).toBe('cut-off');
      expect(Math.abs(output - wordsIn(reply))).toBeLessThanOrEqual(countSlack);
      expect(balance - all).toBeGreaterThanOrEqual(-slackOf(sending));
      expect(balance - all).toBeLessThanOrEqual(restOf(sending));
    },
  );

  test('ends where the budget of a token does', async () => {
    const sending = { wordsPerEvent: 20, eventsPerWrite: 1 };
    const relay = await startPoor(wire, sending, { account: never, token: balance });
    const reply = await ask(relay, wire);
    expectCutOff(wire, reply);
    const { all } = charged(relay);
    expect(balance - all).toBeGreaterThanOrEqual(-slackOf(sending));
    expect(balance - all).toBeLessThanOrEqual(restOf(sending));
  });

  test('50 at once share 20,000 units', async () => {
    const sending = { wordsPerEvent: 20, eventsPerWrite: 1 };
    const relay = await startPoor(wire, sending, { account: 20_000, token: never });
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(relay, wire)));
    const served = replies.filter(({ status }) => status === 200);
    for (const reply of served) expectCutOff(wire, reply);
    const { all, output } = charged(relay);
    const words = served.reduce((sum, reply) => sum + wordsIn(reply), 0);
    expect(Math.abs(output - words)).toBeLessThanOrEqual(countSlack * served.length);
    expect(20_000 - all).toBeGreaterThanOrEqual(-served.length * slackOf(sending));
  });
});
