import { request } from 'node:http';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, test } from 'vitest';
import { ask, balance, charged, never, startPoor } from '../support/relay/cut-off-harness.ts';
import { type Harness, rawKey } from '../support/relay/relay-harness.ts';
import { type WireCase, wireCases } from './cut-off-wires.ts';

const wireOf = (name: string): WireCase => {
  const wire = wireCases.find((known) => known.name === name);
  if (wire === undefined) throw new Error(`no such wire: ${name}`);
  return wire;
};
const passed = wireOf('a chat, passed through');
const translated = wireOf('a chat out of messages');

/** Texts that take many more or many fewer tokens than their number of letters. */
const units = {
  'program text': 'if(a[i]!==b[j]){x+=1;}\n',
  numbers: '31415 92653 58979 ',
  signs: '}{][)(!@#$%^&*~ ',
  'Chinese text': '余额已经用完了，回答到此结束。',
  'Russian text': 'Остаток исчерпан, ответ закончен. ',
  emoji: '😀🎉🚀 ',
};
const wires = [passed, translated];
const dense = Object.entries(units).flatMap(([name, unit]) =>
  wires.map((wire) => [name, wire.name, { wire, unit }] as const),
);

describe('whatever the text', () => {
  test.each(dense)('%s: %s ends where the money does', async (_text, _wire, { wire, unit }) => {
    const sending = { wordsPerEvent: 2, eventsPerWrite: 1, unit };
    const relay = await startPoor(wire, sending, { account: balance, token: never });
    const reply = await ask(relay, wire);
    expect(reply.broken).toBe(false);
    expect(wire.ending(reply)).toMatchObject(wire.expected as object);
    const eventTokens = encode(unit.repeat(2)).length;
    const { all } = charged(relay);
    expect(balance - all).toBeGreaterThanOrEqual(-2 * eventTokens);
    expect(balance - all).toBeLessThanOrEqual(eventTokens + 32);
  });
});

describe('while the keeper takes its time', () => {
  test.each(wireCases.map((wire) => [wire.name, wire] as const))(
    '%s waits, and continues to the end of the quota',
    async (_name, wire) => {
      const sending = { wordsPerEvent: 20, eventsPerWrite: 1 };
      const money = { account: balance, token: never, delayMs: 60 };
      const relay = await startPoor(wire, sending, money);
      const reply = await ask(relay, wire);
      expect(wire.ending(reply)).toMatchObject(wire.expected as object);
      const { all } = charged(relay);
      expect(balance - all).toBeGreaterThanOrEqual(-52);
      expect(balance - all).toBeLessThanOrEqual(36);
    },
  );
});

test('thoughts that are reported and not shown use up the money as well', async () => {
  const wire = wireOf('contents, passed through');
  const thinking = (text: string, nth: number): string =>
    wire.dialect
      .event(text, nth)
      .replace('"responseId"', `"usageMetadata":{"thoughtsTokenCount":${nth * 20}},"responseId"`);
  const dialect = { ...wire.dialect, event: thinking };
  const sending = { wordsPerEvent: 5, eventsPerWrite: 1 };
  const money = { account: balance, token: never };
  const relay = await startPoor({ ...wire, dialect }, sending, money);
  const reply = await ask(relay, wire);
  expect(wire.ending(reply)).toMatchObject(wire.expected as object);
  const { all, output } = charged(relay);
  expect(output).toBeGreaterThan(2_000);
  // An event reports 100 tokens.
  expect(balance - all).toBeGreaterThanOrEqual(-200);
  expect(balance - all).toBeLessThanOrEqual(116);
});

/** Reads the first bytes and goes away. */
const leave = (relay: Harness, { path, body }: WireCase): Promise<void> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer sk-${rawKey}`, 'content-type': 'application/json' };
    const sent = request(
      { host: '127.0.0.1', port: relay.port, method: 'POST', path, headers },
      (answer) => {
        answer.once('data', () => {
          sent.destroy();
          resolve();
        });
        answer.on('error', () => {});
      },
    );
    sent.end(JSON.stringify(body));
  });

test.each([0, 40])(
  'a caller who leaves costs no more than there is, with a keeper that takes %i ms',
  async (delayMs) => {
    const sending = { wordsPerEvent: 20, eventsPerWrite: 1 };
    const relay = await startPoor(passed, sending, { account: balance, token: never, delayMs });
    await leave(relay, passed);
    const { end } = await relay.journal.used();
    expect(end).toBe('cut-off');
    expect(balance - charged(relay).all).toBeGreaterThanOrEqual(-52);
  },
);
