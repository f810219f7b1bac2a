import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ConsoleClient, rootUser } from '../support/console-client.ts';
import { type Customer, portion } from './customers.ts';
import type { LogReader } from './log-reader.ts';
import { sumOf } from './oracle/account.ts';

/** The operator adds a portion to each account that has run out, with a key that makes repeats harmless. */
export type Funding = Readonly<{
  /** Portions that the product confirmed, by user. */
  confirmed: ReadonlyMap<number, number>;
  stop: () => Promise<void>;
}>;

type FundingPlan = Readonly<{
  urls: readonly string[];
  admin: ConsoleClient;
  customers: readonly Customer[];
  log: LogReader;
}>;

/** An account with less than this gets another portion. */
const low = 2_500;
const patienceMs = 4_000;
const intervalMs = 300;
const retriesPerSignIn = 4;

const signIn = async (url: string): Promise<ConsoleClient> => {
  const client = new ConsoleClient(url);
  await client.login(rootUser.username, rootUser.password);
  return client;
};

type Portion = Readonly<{ customer: Customer; admin: ConsoleClient; key: string }>;

const addPortion = async (url: string, { customer, admin, key }: Portion): Promise<void> => {
  const { userId, username } = customer;
  const { headers } = admin;
  const answer = await fetch(`${url}/api/user/`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ id: userId, username, quota: portion, quota_seen: 0 }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const { success, message } = (await answer.json()) as { success: boolean; message: string };
  if (!success) throw new Error(message);
};

export const startFunding = ({ urls, admin, customers, log }: FundingPlan): Funding => {
  let signedIn = admin;
  const confirmed = new Map<number, number>();
  let isRunning = true;

  /** Calls one process after the other until one confirms. */
  const fund = async (customer: Customer): Promise<void> => {
    const key = randomUUID();
    for (let turn = 0; ; turn += 1) {
      const url = urls[turn % urls.length] ?? '';
      try {
        await addPortion(url, { customer, admin: signedIn, key });
        confirmed.set(customer.userId, (confirmed.get(customer.userId) ?? 0) + 1);
        return;
      } catch {
        await pause(intervalMs);
        // A process whose clock is hours away takes the session for an old one.
        if (turn % retriesPerSignIn === 0) signedIn = await signIn(url).catch(() => signedIn);
      }
    }
  };

  const watch = async (customer: Customer): Promise<void> => {
    let portions = 0;
    while (isRunning) {
      await pause(intervalMs);
      const events = log.accounts.get(customer.userId) ?? [];
      const { balance, adjustments } = sumOf(events);
      // The log shows the last portion before the next one is requested.
      if (balance >= low || adjustments.length < portions) continue;
      await fund(customer);
      portions += 1;
    }
  };
  const watching = customers.map(watch);
  return {
    confirmed,
    stop: async () => {
      isRunning = false;
      await Promise.all(watching);
    },
  };
};
