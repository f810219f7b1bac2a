import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountEvent, RequestCharged } from '../../domain/account/events.ts';
import { accountStreamId } from '../../domain/account/stream.ts';
import { price } from '../../domain/pricing/price.ts';
import { createEventStore } from '../../infra/event-store/create-event-store.ts';
import { decodeProductEvent } from '../../infra/event-store/decoder.ts';
import { createUnreadableEvents } from '../../infra/event-store/unreadable-events.ts';
import { createMetrics } from '../../infra/metrics/create-metrics.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import { silentLogger } from './silent-logger.ts';

/**
 * Opens the log of a running product on its own, not through any of its read models; what the
 * product cannot read is left out.
 */
export const openLog = (dataDir: string): EventStore => {
  const { eventStoreUrl } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const unreadable = createUnreadableEvents({
    logger: silentLogger,
    metrics: createMetrics({ process: 'test' }),
  });
  const events = { decode: decodeProductEvent, unreadable };
  return createEventStore({ url: eventStoreUrl, logger: silentLogger, events });
};

export type Books = Readonly<{
  balance: number;
  charged: number;
  charges: RequestCharged['data'][];
  abandoned: string[];
  /** Set aside and neither spent nor given back. */
  reserved: number;
  /** Requests that were charged more than once; must be empty. */
  chargedTwice: string[];
  /** Charges whose amount differs from their own usage and quote; must be empty. */
  wrongAmounts: string[];
}>;

const signedMovement = (event: AccountEvent): number => {
  switch (event.type) {
    case 'QuotaGranted':
    case 'RequestRefunded':
    case 'ReferralRewardTransferred':
      return event.data.amount;
    case 'QuotaAdjusted':
    case 'CorrectionPosted':
      return event.data.delta;
    case 'RequestCharged':
      return -event.data.amount;
    default:
      return 0;
  }
};

/** What is set aside by lease, followed through grants, charges, returns and expiries. */
const followLease = (leases: Map<string, number>, event: AccountEvent): void => {
  switch (event.type) {
    case 'QuotaLeased': {
      const { leaseId, amount } = event.data;
      leases.set(leaseId, (leases.get(leaseId) ?? 0) + amount);
      return;
    }
    case 'RequestCharged': {
      const { leaseId, amount } = event.data;
      const held = leaseId === null ? undefined : leases.get(leaseId);
      if (leaseId !== null && held !== undefined) leases.set(leaseId, held - amount);
      return;
    }
    case 'LeaseReturned': {
      const { leaseId, unspent, closes } = event.data;
      const left = (leases.get(leaseId) ?? 0) - unspent;
      if (closes) leases.delete(leaseId);
      else leases.set(leaseId, left);
      return;
    }
    case 'LeaseExpired':
      leases.delete(event.data.leaseId);
      return;
    default:
  }
};

const repeated = (ids: readonly string[]): string[] =>
  ids.filter((id, place) => ids.indexOf(id) !== place);

/** Adds one account up from its events alone, with none of the product's folds. */
export const addUp = async (log: EventStore, userId: number): Promise<Books> => {
  const charges: RequestCharged['data'][] = [];
  const abandoned: string[] = [];
  const leases = new Map<string, number>();
  let balance = 0;
  for await (const { event } of log.readStream<AccountEvent>(accountStreamId(userId))) {
    balance += signedMovement(event);
    followLease(leases, event);
    if (event.type === 'RequestCharged') charges.push(event.data);
    if (event.type === 'RequestAbandoned') abandoned.push(event.data.requestId);
  }
  return {
    balance,
    charged: charges.reduce((sum, { amount }) => sum + amount, 0),
    charges,
    abandoned,
    reserved: [...leases.values()].reduce((sum, open) => sum + Math.max(0, open), 0),
    chargedTwice: repeated(charges.map(({ call }) => call.requestId)),
    wrongAmounts: charges
      .filter(({ usage, quote, amount }) => price(usage, quote) !== amount)
      .map(({ call }) => call.requestId),
  };
};
