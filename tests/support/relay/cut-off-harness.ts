import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { nodeSystem } from '../../../infra/system/node-system.ts';
import { createLeaseBook, type LeaseBook } from '../../../relay/admission/lease-book.ts';
import { model, type WireCase } from '../../relay/cut-off-wires.ts';
import { tokenId, userId } from '../account-examples.ts';
import { openKeeperFixture } from '../keeper-fixture.ts';
import { silentLogger } from '../silent-logger.ts';
import { noMetrics } from './relay-fakes.ts';
import {
  type Answer,
  aChannel,
  anAccount,
  aToken,
  type Harness,
  type Reply,
  rawKey,
  startHarness,
  startUpstream,
} from './relay-harness.ts';

/* A unit a token, of the prompt and of the answer; each word of the answer is one token. */
const word = ' word';
export const balance = 3_000;
/** A provider that is not stopped continues to here. */
const maxWords = 12_000;
/** Long texts are counted in pieces, which may split a word. */
export const countSlack = 2;
export const never = 1_000_000_000;

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** How a provider sends: events at a time, or an event in pieces of so many bytes. */
export type Sending = Readonly<{
  wordsPerEvent: number;
  eventsPerWrite: number;
  pieceBytes?: number;
  /** In place of a word. */
  unit?: string;
}>;

const answerOf =
  (
    { dialect }: WireCase,
    { wordsPerEvent, eventsPerWrite, pieceBytes, unit = word }: Sending,
  ): Answer =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    let words = 0;
    let pieces: string[] = [dialect.opening];
    const refill = (): void => {
      const all = Array.from({ length: eventsPerWrite }, () => {
        words += wordsPerEvent;
        return dialect.event(unit.repeat(wordsPerEvent), words);
      }).join('');
      pieces =
        pieceBytes === undefined
          ? [all]
          : (all.match(new RegExp(`[^]{1,${pieceBytes}}`, 'g')) ?? []);
    };
    const say = (): void => {
      if (res.destroyed) return;
      if (pieces.length === 0) refill();
      if (words > maxWords) res.end();
      else res.write(pieces.shift() ?? '', () => setImmediate(say));
    };
    say();
  };

/** The available quota, and how long the keeper takes to report it. */
type Money = Readonly<{ account: number; token: number; delayMs?: number }>;

/** Lease requests of running streams take their time. */
const slow = (book: LeaseBook, delayMs: number): LeaseBook => ({
  tryReserve: (...all) => book.tryReserve(...all),
  reserve: (...all) => book.reserve(...all),
  reserveMore: async (...all) => {
    await sleep(delayMs);
    return book.reserveMore(...all);
  },
  extend: (...all) => book.extend(...all),
  settle: (...all) => book.settle(...all),
  start: () => book.start(),
  stop: () => book.stop(),
});

/** A relay on a keeper that holds this money, with one channel. */
export const startPoor = async (
  wire: WireCase,
  sending: Sending,
  money: Money,
): Promise<Harness> => {
  const upstream = await startUpstream(answerOf(wire, sending));
  closers.push(upstream.close);
  const relay = await startHarness(
    {},
    {
      leaseBook: async (bus) => {
        const keeper = await openKeeperFixture({ bus });
        closers.push(keeper.stop);
        await keeper.fund(money.account, money.token);
        const book = createLeaseBook({
          bus,
          relayId: 'relay-1',
          journal: { leaseIdle: () => {}, unsettledNumber: () => 0 },
          timers: nodeSystem.timers,
          logger: silentLogger,
          metrics: noMetrics,
          // A busy machine is no keeper that is away.
          askTimeoutMs: 60_000,
        });
        return money.delayMs === undefined ? book : slow(book, money.delayMs);
      },
    },
  );
  closers.push(relay.close);
  await relay.put.account(anAccount({ userId }));
  await relay.put.token(rawKey, aToken({ tokenId, userId }));
  await relay.put.option('ModelRatio', JSON.stringify({ [model]: 1 }));
  await relay.put.option('CompletionRatio', JSON.stringify({ [model]: 1 }));
  await relay.put.channel(
    aChannel(1, { type: wire.channelType, models: [model], baseUrl: upstream.url }),
  );
  return relay;
};

export const ask = (relay: Harness, { path, keyHeader, body }: WireCase): Promise<Reply> => {
  const key = keyHeader === 'authorization' ? `Bearer sk-${rawKey}` : `sk-${rawKey}`;
  return relay.send(path, JSON.stringify(body), { authorization: '', [keyHeader]: key });
};

/** Events that repeat at the end of a part what its deltas contained. */
const isRepeat = (line: string): boolean =>
  /"type":"response\.[a-z_.]+"/.test(line) && !/"type":"response\.[a-z_]+\.delta"/.test(line);

export const wordsIn = ({ text }: Reply): number =>
  text
    .split('\n')
    .filter((line) => !isRepeat(line))
    .join('\n')
    .split(word).length - 1;

/** What the requests so far were charged, without their output. */
export const charged = ({ journal }: Harness) => {
  let prompts = 0;
  let output = 0;
  for (const outcome of journal.outcomes) {
    if (outcome.kind !== 'used') continue;
    prompts += outcome.usage.promptTokens;
    output += outcome.usage.completionTokens;
  }
  return { output, all: prompts + output };
};
