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
import type { RecallAnswers } from './recall.ts';

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

/** What the relay recorded before its lease lapsed is counted first: it has not arrived yet. */
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

const pendingReply = (batch: CommandBatch, request: LeaseRequest): LeaseReply => ({
  leaseId: leaseIdOf(request),
  granted: 0,
  refusal: 'usage-pending',
  fresh: false,
  ...balanceOf(batch, request),
});

const replyOf = (batch: CommandBatch, command: LeaseQuota, request: LeaseRequest): LeaseReply => {
  const { leaseId, ask } = command.data;
  if (isPending(batch, request)) return pendingReply(batch, request);
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

/** Quota that others than this lease hold, in flight or idle, of the account and of its token. */
type Held = Readonly<{ ofAccount: number; ofToken: number }>;

const heldByOthers = (
  { leases }: AccountState,
  { leaseId, tokenId }: LeaseQuota['data'],
  isCounted: (relayId: RelayId) => boolean = () => true,
): Held => {
  let [ofAccount, ofToken] = [0, 0];
  for (const [id, lease] of leases) {
    if (id === leaseId || !isCounted(lease.relayId)) continue;
    ofAccount += outstanding(lease);
    if (lease.tokenId === tokenId) ofToken += outstanding(lease);
  }
  return { ofAccount, ofToken };
};

const isCovered = (
  state: AccountState,
  { tokenId, need }: LeaseQuota['data'],
  more: Held,
): boolean => {
  const wanted = Math.max(1, need);
  const ofToken = availableOfToken(state, tokenId);
  if (availableBalance(state) + more.ofAccount < wanted) return false;
  return ofToken === null || ofToken + more.ofToken >= wanted;
};

const nothingMore: Held = { ofAccount: 0, ofToken: 0 };

const wantsRecall = ({ state }: CommandBatch, { data }: LeaseQuota): boolean => {
  const known = state.leases.get(data.leaseId);
  if (known !== undefined && data.ask <= known.ask) return false;
  return !isCovered(state, data, nothingMore) && heldByOthers(state, data).ofAccount > 0;
};

/**
 * The idle quota is unknown of relays that have not answered, or whose answer is not settled yet.
 */
const mayBeCovered = (
  { state }: CommandBatch,
  { data }: LeaseQuota,
  answers: RecallAnswers,
): boolean => {
  const isUnknown = (relayId: RelayId): boolean => {
    const recorded = answers.get(relayId);
    const producerId = producerOf(state, relayId);
    const producer = producerId === null ? undefined : state.producers.get(producerId);
    return recorded === undefined || (producer?.settledThrough ?? 0) < recorded;
  };
  return isCovered(state, data, heldByOthers(state, data, isUnknown));
};

type Circumstances = Readonly<{
  occurredAt: string;
  /**
   * Where too little is free, idle quota is recalled from other relays before anything is granted
   * or refused.
   */
  mayRecall: boolean;
  /** The relays whose idle quota was recalled. */
  answers: RecallAnswers;
}>;

/**
 * A relay's request for quota; the same one again gets the same answer. Refused for good is only
 * what no idle quota covers: while that is open for a relay, the request is to be sent again.
 */
export const leaseWork = (
  request: LeaseRequest,
  { occurredAt, mayRecall, answers }: Circumstances,
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
      if (wantsRecall(batch, command)) {
        if (mayRecall) {
          batch.needsTail = true;
          return 'recall';
        }
        if (mayBeCovered(batch, command, answers)) return pendingReply(batch, request);
      }
      return replyOf(batch, command, request);
    },
  };
};

type SilentRelay = Readonly<{
  userId: UserId;
  relayId: RelayId;
  /**
   * Checked when its turn is reached: meanwhile the relay may have sent a heartbeat, and have got a
   * new lease.
   */
  isSilent: () => boolean;
}>;

/** All that a relay which is silent still holds of one account goes back. */
export const expiryWork = (
  { userId, relayId, isSilent }: SilentRelay,
  occurredAt: string,
): Work<number> => ({
  size: 1,
  questions: () => [],
  run: (batch) => {
    if (!isSilent()) return 0;
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
