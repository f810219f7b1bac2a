import type { AccountCommand } from '../../domain/account/commands.ts';
import type { AccountEvent, CallFacts } from '../../domain/account/events.ts';
import type {
  LeaseIdle,
  RequestFailedRecord,
  RequestStarted,
  RequestUsed,
} from '../../domain/account/messages.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import { aMetadata } from './metadata-examples.ts';
import { aRatioQuote, aUsage } from './pricing-examples.ts';

export const relayId = 'relay-a';
export const userId = 7;
export const tokenId = 70;
export const leaseId = `${relayId}.${userId}.${tokenId}.1`;

/** One unit for each token, so that a test can compute the cost of a call. */
const unitQuote = aRatioQuote({ modelRatio: '1', completionRatio: '1' });

export const aCall = (changes: Partial<CallFacts> = {}): CallFacts => ({
  requestId: 'req-1',
  relayId,
  tokenId,
  channelId: 3,
  channelsTried: [3],
  model: 'gpt-4o',
  upstreamModel: null,
  group: 'default',
  path: '/v1/chat/completions',
  isStream: false,
  startedAt: '2026-03-01T08:00:00.000Z',
  durationMs: 1_200,
  firstByteMs: null,
  ...changes,
});

type UsedChanges = Readonly<{ amount?: number; call?: Partial<CallFacts> }> &
  Partial<Omit<RequestUsed, 'call' | 'usage' | 'quote' | 'kind'>>;

/** A call that costs `amount` units, with its sequence as number of the first producer. */
export const aUsedRecord = ({
  amount = 100,
  call,
  sequence = 1,
  ...changes
}: UsedChanges = {}): RequestUsed => ({
  kind: 'used',
  relayId,
  userId,
  sequence,
  usageNumber: { producerId: 1, number: sequence },
  leaseId,
  call: aCall(call),
  usage: aUsage({ promptTokens: amount, completionTokens: 0 }),
  usageSource: 'upstream',
  usageNote: null,
  end: 'complete',
  quote: unitQuote,
  ...changes,
});

type FailedChanges = Readonly<{ call?: Partial<CallFacts> }> &
  Partial<Omit<RequestFailedRecord, 'call' | 'kind'>>;

export const aFailedRecord = ({ call, ...changes }: FailedChanges = {}): RequestFailedRecord => ({
  kind: 'failed',
  relayId,
  userId,
  sequence: 1,
  call: aCall(call),
  statusCode: 502,
  errorType: 'upstream_error',
  errorCode: 'bad_gateway',
  message: 'no answer',
  ...changes,
});

export const aStartedRecord = (changes: Partial<RequestStarted> = {}): RequestStarted => ({
  kind: 'started',
  relayId,
  userId,
  sequence: 1,
  requestId: 'req-1',
  tokenId,
  leaseId,
  reserved: 50,
  startedAt: '2026-03-01T08:00:00.000Z',
  ...changes,
});

/** The lease ends and gives all of it back, with its sequence as number of the first producer. */
export const aLeaseIdle = ({ sequence = 1, ...changes }: Partial<LeaseIdle> = {}): LeaseIdle => ({
  kind: 'lease-idle',
  relayId,
  userId,
  sequence,
  usageNumber: { producerId: 1, number: sequence },
  leaseId,
  unspent: 0,
  closes: true,
  ...changes,
});

type Of<T extends AccountCommand['type']> = Extract<AccountCommand, { type: T }>;

/** A command of the account with sensible metadata; a fresh command id for each call that names one. */
export const anAccountCommand = <T extends AccountCommand['type']>(
  type: T,
  data: Of<T>['data'],
  metadata: Partial<Metadata> = {},
): Of<T> => ({ type, data, metadata: aMetadata(metadata) }) as unknown as Of<T>;

export const anAccountOpened: AccountEvent = { type: 'AccountOpened', data: { userId } };

export const aQuotaGranted = (amount = 1_000): AccountEvent => ({
  type: 'QuotaGranted',
  data: { userId, amount, source: 'topup', reference: 'trade-1', balanceAfter: amount },
});

export const aTokenBudgetSet = (remain = 500, unlimited = false): AccountEvent => ({
  type: 'TokenBudgetSet',
  data: { userId, tokenId, unlimited, remain },
});

export const aQuotaLeased = (amount: number, ask = 1): AccountEvent => ({
  type: 'QuotaLeased',
  data: { userId, tokenId, leaseId, relayId, amount, ask, producerId: 1 },
});

/** The relay held a lease once, and holds none now. */
export const aProducer: readonly AccountEvent[] = [
  {
    type: 'QuotaLeased',
    data: { userId, tokenId, leaseId: 'once', relayId, amount: 1, ask: 1, producerId: 1 },
  },
  { type: 'LeaseExpired', data: { userId, leaseId: 'once', unspent: 1 } },
];
