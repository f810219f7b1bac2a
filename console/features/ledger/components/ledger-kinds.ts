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

const actorKinds = ['user', 'admin', 'system', 'relay', 'payment'] as const;
export type ActorKind = (typeof actorKinds)[number];
export const isActorKind = (text: string): text is ActorKind =>
  actorKinds.some((kind) => kind === text);
