import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createNotices } from './create-notices.ts';
import { testRoundNotice } from './notice.ts';

let bus: Bus;
let attempts: number;
let failures: number;

beforeEach(() => {
  bus = createMemoryBus({ logger: silentLogger });
  attempts = 0;
  failures = 0;
});
afterEach(() => bus.close());

/** One person with a webhook, and a receiver that fails as often as configured. */
const someNotices = () => {
  const settings = { notifyType: 'webhook', webhookUrl: 'https://a.test', webhookSecret: null };
  const state = { status: 'active', userId: 1, settings };
  const post = async (): Promise<void> => {
    attempts += 1;
    if (attempts <= failures) throw new Error('away');
  };
  return createNotices({
    bus,
    clock: () => new Date(),
    logger: silentLogger,
    commands: { load: async () => ({ state, revision: 0n }) },
    options: { state: async () => ({ options: new Map(), secrets: new Map() }) },
    personalKeys: { get: async () => null },
    webhooks: { post },
    retryDelaysMs: [1, 1],
  } as never);
};
const notice = testRoundNotice({ to: 1, tested: 3 });

test('what did not arrive is sent again, within a bound', async () => {
  failures = 2;
  const notices = someNotices();
  notices.send(notice, 'first');
  expect(notices.isBusy()).toBe(true);
  await notices.settled();
  expect(attempts).toBe(3);
  failures = 100;
  notices.send(notice, 'second');
  await notices.settled();
  expect(attempts).toBe(6);
  expect(notices.isBusy()).toBe(false);
});

test('one cause leads to one notice, whoever of a cluster sees it, and however often', async () => {
  const [here, there] = [someNotices(), someNotices()];
  here.send(notice, 'cause');
  await here.settled();
  there.send(notice, 'cause');
  here.send(notice, 'cause');
  await Promise.all([here.settled(), there.settled()]);
  expect(attempts).toBe(1);
});
