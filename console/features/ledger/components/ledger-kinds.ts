import type { LedgerKind } from '../api/ledger.ts';

const ledgerKinds: Readonly<Record<LedgerKind, true>> = {
  RequestCharged: true,
  QuotaGranted: true,
  QuotaAdjusted: true,
  RequestRefunded: true,
  ReferralRewardTransferred: true,
  CorrectionPosted: true,
};

export const kindsInOrder = Object.keys(ledgerKinds) as readonly LedgerKind[];

/** Codes for where a grant came from or why a task was refunded; any other reason is free text. */
const grantSources = [
  'setup',
  'registration',
  'invitation',
  'redemption',
  'topup',
  'referral-transfer',
  'task.refused',
  'task.abandoned',
  'task.upstream',
  'task.timeout',
  'task.channel-gone',
  'task.settled',
] as const;
export type GrantSource = (typeof grantSources)[number];
export const isGrantSource = (text: string): text is GrantSource =>
  grantSources.some((source) => source === text);

const actorKinds = ['user', 'admin', 'system', 'relay', 'payment'] as const;
export type ActorKind = (typeof actorKinds)[number];
export const isActorKind = (text: string): text is ActorKind =>
  actorKinds.some((kind) => kind === text);
