import type { LeaseQuota } from '../../domain/account/commands.ts';
import type { LeaseRefusal, LeaseReply, LeaseRequest } from '../../domain/account/messages.ts';
import {
  type AccountState,
  availableBalance,
  availableOfToken,
  outstanding,
  playgroundToken,
  producerOf,
} from '../../domain/account/state.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { LeaseId, RelayId, TokenId, UserId } from '../../domain/shared/ids.ts';
import { causedMetadata } from '../shared/metadata.ts';
import type { CommandBatch, Work } from './command-batch.ts';

const leaseIdOf = ({
  relayId,
  userId,
  tokenId,
  lease,
}: Pick<LeaseRequest, 'relayId' | 'userId' | 'tokenId' | 'lease'>): LeaseId =>
  `${relayId}.${userId}.${tokenId}.${lease}`;

const refusals: Readonly<Record<string, LeaseRefusal>> = {
  'account.not-open': 'no-account',
  'account.token-exhausted': 'token-exhausted',
  'account.lease-closed': 'lease-closed',
};

const tokenRemain = (state: AccountState, tokenId: TokenId): number | null => {
  if (tokenId === playgroundToken) return null;
  const budget = state.budgets.get(tokenId);
  if (budget === undefined) return 0;
  return budget.unlimited ? null : budget.remain;
};

/** What the relay recorded before its lease lapsed counts first: it is not known here yet. */
const isPending = ({ state }: CommandBatch, { relayId, recorded }: LeaseRequest): boolean => {
  const producerId = producerOf(state, relayId);
  const producer = producerId === null ? undefined : state.producers.get(producerId);
  return producer !== undefined && producer.settledThrough < (recorded ?? 0);
};

const balanceOf = ({ state }: CommandBatch, { relayId, tokenId }: LeaseRequest) => ({
  producerId: producerOf(state, relayId),
  balance: state.balance,
  tokenRemain: tokenRemain(state, tokenId),
});

const replyOf = (batch: CommandBatch, command: LeaseQuota, request: LeaseRequest): LeaseReply => {
  const { leaseId, ask } = command.data;
  if (isPending(batch, request)) {
    const refusal = 'usage-pending';
    return { leaseId, granted: 0, refusal, fresh: false, ...balanceOf(batch, request) };
  }
  const decision = batch.submit(command);
  const lease = batch.state.leases.get(leaseId);
  const isRefused = decision.kind === 'rejected';
  const isAnswered = !isRefused && lease !== undefined && lease.ask === ask;
  return {
    leaseId,
    granted: isAnswered ? lease.lastGrant : 0,
    refusal: isRefused ? (refusals[decision.code] ?? 'balance-exhausted') : null,
    fresh: isRefused ? lease === undefined : lease?.firstAsk === ask,
    ...balanceOf(batch, request),
  };
};

/** `recall`: nothing was granted, for quota that others hold in this account may cover the need. */
export type LeaseAnswer = LeaseReply | 'recall';

/** Quota that others than this lease hold, in flight or idle. */
const heldByOthers = ({ leases }: AccountState, leaseId: LeaseId): number => {
  let held = 0;
  for (const [id, lease] of leases) if (id !== leaseId) held += outstanding(lease);
  return held;
};

const wantsRecall = ({ state }: CommandBatch, { data }: LeaseQuota): boolean => {
  const { leaseId, need, tokenId, ask } = data;
  const known = state.leases.get(leaseId);
  if (known !== undefined && ask <= known.ask) return false;
  const ofToken = availableOfToken(state, tokenId) ?? Number.POSITIVE_INFINITY;
  const available = Math.min(availableBalance(state), ofToken);
  return available < Math.max(1, need) && heldByOthers(state, leaseId) > 0;
};

/**
 * A relay's request for quota; the same one again gets the same answer. `mayRecall`: where too little
 * is free, others are to be asked for theirs before anything is granted or refused.
 */
export const leaseWork = (
  request: LeaseRequest,
  { occurredAt, mayRecall }: Readonly<{ occurredAt: string; mayRecall: boolean }>,
): Work<LeaseAnswer> => {
  const leaseId = leaseIdOf(request);
  const metadata: Metadata = causedMetadata(
    { kind: 'relay', id: request.relayId },
    `${leaseId}#${request.ask}`,
    occurredAt,
  );
  const { relayId, userId, tokenId, need, ask } = request;
  const data = { relayId, userId, tokenId, need, ask, leaseId };
  const command: LeaseQuota = { type: 'LeaseQuota', data, metadata };
  return {
    size: 1,
    questions: () => [],
    run: (batch) => {
      if (mayRecall && wantsRecall(batch, command)) {
        batch.needsTail = true;
        return 'recall';
      }
      return replyOf(batch, command, request);
    },
  };
};

/** All that a silent relay holds of one account goes back. */
export const expiryWork = (
  { userId, relayId }: Readonly<{ userId: UserId; relayId: RelayId }>,
  occurredAt: string,
): Work<number> => ({
  size: 1,
  questions: () => [],
  run: (batch) => {
    const held = [...batch.state.leases].filter(([, lease]) => lease.relayId === relayId);
    for (const [leaseId] of held) {
      const commandId = `expire/${leaseId}`;
      const metadata: Metadata = causedMetadata(
        { kind: 'system', id: 'keeper' },
        commandId,
        occurredAt,
      );
      batch.submit({ type: 'ExpireLease', data: { userId, leaseId }, metadata });
    }
    return held.length;
  },
});
