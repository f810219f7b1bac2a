import type { LeaseQuota } from '../../domain/account/commands.ts';
import type { LeaseRefusal, LeaseReply, LeaseRequest } from '../../domain/account/messages.ts';
import { type AccountState, playgroundToken } from '../../domain/account/state.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { LeaseId, RelayId, TokenId, UserId } from '../../domain/shared/ids.ts';
import { causedMetadata } from '../shared/metadata.ts';
import type { CommandBatch, Work } from './command-batch.ts';

const leaseIdOf = ({
  relayId,
  userId,
  tokenId,
}: Readonly<{
  relayId: RelayId;
  userId: UserId;
  tokenId: TokenId;
}>): LeaseId => `${relayId}.${userId}.${tokenId}`;

/** The relay that a lease id names; user and token are the last two parts. */
export const relayOfLease = (leaseId: LeaseId): RelayId =>
  leaseId.slice(0, leaseId.lastIndexOf('.', leaseId.lastIndexOf('.') - 1));

const refusals: Readonly<Record<string, LeaseRefusal>> = {
  'account.not-open': 'no-account',
  'account.token-exhausted': 'token-exhausted',
};

const tokenRemain = (state: AccountState, tokenId: TokenId): number | null => {
  if (tokenId === playgroundToken) return null;
  const budget = state.budgets.get(tokenId);
  if (budget === undefined) return 0;
  return budget.unlimited ? null : budget.remain;
};

const replyOf = (batch: CommandBatch, command: LeaseQuota): LeaseReply => {
  const { leaseId, tokenId, ask } = command.data;
  const decision = batch.submit(command);
  const lease = batch.state.leases.get(leaseId);
  const isRefused = decision.kind === 'rejected';
  const isAnswered = !isRefused && lease !== undefined && lease.ask === ask;
  return {
    leaseId,
    granted: isAnswered ? lease.lastGrant : 0,
    refusal: isRefused ? (refusals[decision.code] ?? 'balance-exhausted') : null,
    balance: batch.state.balance,
    tokenRemain: tokenRemain(batch.state, tokenId),
    fresh: isRefused ? lease === undefined : lease?.firstAsk === ask,
  };
};

/** A relay's ask for quota; the same ask again gets the same answer. */
export const leaseWork = (request: LeaseRequest, occurredAt: string): Work<LeaseReply> => {
  const leaseId = leaseIdOf(request);
  const commandId = `${leaseId}#${request.ask}`;
  const metadata: Metadata = causedMetadata(
    { kind: 'relay', id: request.relayId },
    commandId,
    occurredAt,
  );
  const command: LeaseQuota = { type: 'LeaseQuota', data: { ...request, leaseId }, metadata };
  return { size: 1, questions: () => [], run: (batch) => replyOf(batch, command) };
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
