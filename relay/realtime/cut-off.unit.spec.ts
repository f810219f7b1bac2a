import { afterEach, expect, test } from 'vitest';
import { price } from '../../domain/pricing/price.ts';
import {
  closeAll,
  created,
  delta,
  model,
  type Script,
  speak,
  startProvider,
  startWith,
} from '../../tests/support/relay/session-harness.ts';

const word = ' word';
const balance = 3_000;
/** A provider that is not stopped continues to here. */
const maxWords = 12_000;

afterEach(closeAll);

/** Deltas of so many words, so many at once. */
const talking =
  (wordsEach: number, atOnce: number): Script =>
  (event, say, socket) => {
    if (event.type !== 'response.create') return;
    say(created('r1'));
    let words = 0;
    const goOn = (): void => {
      if (socket.readyState !== socket.OPEN || words > maxWords) return;
      for (let nth = 0; nth < atOnce; nth += 1) {
        words += wordsEach;
        say(delta('r1', word.repeat(wordsEach)));
      }
      setImmediate(goOn);
    };
    goOn();
  };

const cases = [5, 20, 350].flatMap((wordsEach) => [
  [wordsEach, 1, 'balance-exhausted'] as const,
  [wordsEach, Math.ceil(2_000 / wordsEach), 'balance-exhausted'] as const,
  [wordsEach, 1, 'token-exhausted'] as const,
]);

test.each(cases)(
  'a response of %i tokens an event, %i at once, ends where the money does: %s',
  async (wordsEach, atOnce, refusal) => {
    const provider = await startProvider(talking(wordsEach, atOnce));
    const relay = await startWith(provider.url);
    await relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
    // A unit a token of the prompt, four a token of the answer.
    relay.leases.funds = balance * 4;
    relay.leases.refusal = refusal;
    const client = await speak(relay);
    const ended = client.next('response.done');
    const noticed = client.next('error');
    client.say({ type: 'response.create' });
    expect(await ended).toMatchObject({
      response: {
        id: 'r1',
        status: 'incomplete',
        status_details: { type: 'incomplete', reason: 'max_output_tokens' },
      },
      notice: { code: 'insufficient_quota' },
    });
    await noticed;
    expect(await client.closed).toBe(1008);
    const used = await relay.journal.used();
    const received = client.events
      .map(({ delta: text }) => (typeof text === 'string' ? text.length / word.length : 0))
      .reduce((sum, words) => sum + words, 0);
    expect(used.end).toBe('cut-off');
    expect(Math.abs(used.usage.completionTokens - received)).toBeLessThanOrEqual(2);
    const left = balance - price(used.usage, used.quote) / 4;
    expect(left).toBeGreaterThanOrEqual(-wordsEach);
    expect(left).toBeLessThanOrEqual(wordsEach + 16);
    expect(relay.leases.open).toBe(0);
  },
);
