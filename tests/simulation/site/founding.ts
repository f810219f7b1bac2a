import { checkpointStreamId } from '../../../command-api/processes/checkpoints.ts';
import { causedBy } from '../../../command-api/processes/process.ts';
import { accountStreamId } from '../../../domain/account/stream.ts';
import { channelStreamId } from '../../../domain/channel/stream.ts';
import { redemptionStreamId } from '../../../domain/redemption/stream.ts';
import type { Event, Metadata } from '../../../domain/shared/event.ts';
import type { TokenTerms } from '../../../domain/token/events.ts';
import { tokenStreamId } from '../../../domain/token/stream.ts';
import { personalKeyStreamId, userStreamId } from '../../../domain/user/stream.ts';
import {
  type CustomerSetup,
  type History,
  hasPolls,
  type Setup,
  tokenIdOf,
  userIdOf,
} from '../history.ts';
import type { SimLog } from '../log/sim-log.ts';
import { epochMs } from '../world/machine.ts';

/** Runs the site and is no customer: who makes a code may not redeem it. */
export const operatorId = 1_000_000;

/** The one channel of the site. */
export const channelId = 1;

export const channelSettings = {
  type: 1,
  name: 'channel',
  models: ['model-0'],
  groups: ['default'],
  baseUrl: '',
  other: '',
  organization: '',
  testModel: '',
  tag: '',
  modelMapping: '',
  statusCodeMapping: '',
  setting: '',
  paramOverride: '',
  priority: 0,
  weight: 0,
  autoBan: true,
} as const;

/** Codes of the actions that top up follow those of the first balances. */
const firstCodeOfActions = 1_000;
export const codeOfAction = (index: number): number => firstCodeOfActions + index;

const processNames = [
  'user-accounts',
  'token-budgets',
  'user-departures',
  'personal-key-erasure',
  'redemption-credits',
  'topup-credits',
  'task-refunds',
];

const occurredAt = new Date(epochMs - 60_000).toISOString();

const metadataOf = (id: string): Metadata => ({
  actor: { kind: 'system', id: 'founding' },
  correlationId: id,
  causationId: id,
  commandId: id,
  occurredAt,
});

/**
 * As the step of a process names it, so that the process finds it done. Kept for the histories that follow: the
 * events of all of them have the same ids, though not always the same steps.
 */
const consequences = new Map<string, Metadata>();
const consequenceOf = (eventId: string, step: string): Metadata => {
  const key = `${step} ${eventId}`;
  const known = consequences.get(key);
  if (known !== undefined) return known;
  const metadata = causedBy({ eventId, metadata: metadataOf(eventId) }, step);
  consequences.set(key, metadata);
  return metadata;
};

export const termsOf = (remain: number | null): TokenTerms => ({
  name: 'token',
  expiredTime: -1,
  unlimitedQuota: remain === null,
  remainQuota: remain ?? 0,
  modelLimitsEnabled: false,
  modelLimits: [],
  allowIps: [],
  group: '',
});

/** The history before the history: customers with tokens, codes, and what they brought. */
class Founding {
  readonly #log: SimLog;
  #count = 0;

  constructor(log: SimLog) {
    this.#log = log;
  }

  /** Answers the id of the event. */
  write(streamId: string, event: Event, metadata?: Metadata): string {
    this.#count += 1;
    const eventId = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
    this.#log.append(
      streamId,
      [{ event, eventId, metadata: metadata ?? metadataOf(eventId) }],
      'any',
    );
    return eventId;
  }

  code(redemptionId: number, quota: number): void {
    this.write(redemptionStreamId(redemptionId), {
      type: 'RedemptionCreated',
      data: {
        redemptionId,
        name: 'code',
        quota,
        sealedCode: 'sealed',
        codeHash: String(redemptionId),
        createdBy: operatorId,
      },
    });
  }

  customer(index: number, { balance, tokens }: CustomerSetup): void {
    const userId = userIdOf(index);
    this.write(personalKeyStreamId(userId), {
      type: 'PersonalKeyCreated',
      data: { userId, wrappedKey: 'wrapped' },
    });
    const registered = this.write(userStreamId(userId), {
      type: 'UserRegistered',
      data: {
        userId,
        username: `user-${userId}`,
        displayName: 'sealed',
        email: null,
        passwordHash: null,
        role: 1,
        group: 'default',
        affCode: `aff${userId}`,
        inviterId: null,
      },
    });
    const account = accountStreamId(userId);
    this.write(
      account,
      { type: 'AccountOpened', data: { userId } },
      consequenceOf(registered, 'open-account'),
    );
    for (const [nth, remain] of tokens.entries())
      this.#token(userId, tokenIdOf(index, nth), remain);
    if (balance > 0) this.#firstBalance(userId, balance);
  }

  /** The channel of tasks: those of a channel that is gone are given up. */
  channel(): void {
    this.write(channelStreamId(channelId), {
      type: 'ChannelCreated',
      data: { channelId, sealedKey: 'sealed', settings: channelSettings, status: 1 },
    });
  }

  /** Every process has read to the end of all this. */
  checkpoints(): void {
    const position = String(this.#log.head ?? 0n);
    for (const name of processNames) {
      const streamId = checkpointStreamId(name);
      this.write(streamId, { type: 'ProcessAdvanced', data: { name, position } });
      this.#log.bound(streamId, { maxCount: 1 });
    }
  }

  #token(userId: number, tokenId: number, remain: number | null): void {
    const created = this.write(tokenStreamId(tokenId), {
      type: 'TokenCreated',
      data: {
        tokenId,
        userId,
        sealedKey: 'sealed',
        keyHash: String(tokenId),
        terms: termsOf(remain),
      },
    });
    const budget = { userId, tokenId, unlimited: remain === null, remain: remain ?? 0 };
    this.write(
      accountStreamId(userId),
      { type: 'TokenBudgetSet', data: budget },
      consequenceOf(created, 'set-budget'),
    );
  }

  #firstBalance(userId: number, balance: number): void {
    const redemptionId = userId;
    this.code(redemptionId, balance);
    const redeemed = this.write(redemptionStreamId(redemptionId), {
      type: 'RedemptionRedeemed',
      data: { redemptionId, quota: balance, redeemedBy: userId },
    });
    this.write(
      accountStreamId(userId),
      {
        type: 'QuotaGranted',
        data: {
          userId,
          amount: balance,
          source: 'redemption',
          reference: String(redemptionId),
          balanceAfter: balance,
        },
      },
      consequenceOf(redeemed, 'redemption'),
    );
  }
}

/** Customers who only test at the end whether the site works: one for each partition. */
const probeCustomers: readonly number[] = [100, 101, 102, 103];
export const probedBy = ({ probes }: Setup): readonly number[] =>
  probes === undefined
    ? probeCustomers
    : probes.flatMap((partition) => probeCustomers[partition] ?? []);
const probeBalance = 10_000_000;

export const found = (log: SimLog, { setup, calls, actions }: History): void => {
  const founding = new Founding(log);
  for (const [index, customer] of setup.customers.entries()) founding.customer(index, customer);
  for (const index of probedBy(setup)) {
    founding.customer(index, { balance: probeBalance, tokens: [null] });
  }
  for (const [index, action] of actions.entries()) {
    if (action.kind === 'top-up') founding.code(codeOfAction(index), action.amount);
  }
  if (hasPolls({ calls })) founding.channel();
  founding.checkpoints();
};
