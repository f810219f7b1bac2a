import type { EventType, ProductEvent } from '../../domain/events.ts';

/** The checks of the log, and those that fold events into the rows a projection has to show. */
export type CheckName =
  | 'accounts'
  | 'requests'
  | 'grants'
  | 'payments'
  | 'tasks'
  | 'people'
  | 'corrections'
  | 'checkpoints'
  | 'producers'
  | 'dead-letters'
  | RowCheckName;
export type RowCheckName = 'user-list' | 'token-list' | 'topup-list' | 'ledger';

const movement = ['accounts', 'ledger', 'user-list'] as const;
const users = ['user-list'] as const;
const none = [] as const;

/**
 * The checks that each event type concerns. The log check takes every event: ids, revisions and
 * metadata. A new event type stops the build until it is listed here, and a check that is named here
 * does not compile until it handles the type.
 */
const concerns = {
  SiteInitialised: none,
  OptionChanged: none,
  SecretOptionChanged: none,
  OptionReset: none,
  UsageLogPruned: none,
  UserRegistered: ['people', 'user-list'],
  UserProfileChanged: none,
  UserGroupChanged: users,
  PasswordChanged: none,
  PasswordReset: none,
  UserPromoted: users,
  UserDemoted: users,
  UserDisabled: users,
  UserEnabled: users,
  UserDeleted: ['people', 'user-list'],
  IdentityLinked: none,
  IdentityUnlinked: none,
  AccessTokenIssued: none,
  UserSettingsChanged: none,
  UserLoggedIn: none,
  SessionEnded: none,
  SessionsEnded: none,
  TotpEnrolled: none,
  TotpRemoved: none,
  TotpCodeUsed: none,
  RecoveryCodesIssued: none,
  RecoveryCodeUsed: none,
  PasskeyAdded: none,
  PasskeyRenamed: none,
  PasskeyRemoved: none,
  PasskeyUsed: none,
  SecondFactorsRemoved: none,
  UserLoginFailed: none,
  PersonalKeyCreated: none,
  AccountOpened: ['accounts', 'ledger'],
  QuotaGranted: ['grants', 'payments', 'topup-list', ...movement],
  QuotaAdjusted: movement,
  QuotaLeased: ['accounts', 'producers'],
  LeaseReturned: ['accounts', 'producers'],
  LeaseExpired: ['accounts', 'producers'],
  RequestCharged: ['requests', 'producers', 'tasks', 'token-list', ...movement],
  RequestRefunded: ['requests', 'tasks', 'token-list', ...movement],
  RequestAbandoned: ['accounts', 'requests'],
  UsageNumberSkipped: ['producers'],
  ProducerClosed: ['producers'],
  TokenBudgetSet: ['accounts', 'token-list'],
  TokenBudgetClosed: ['accounts'],
  ReferralRewarded: ['accounts'],
  ReferralRewardTransferred: movement,
  CorrectionPosted: ['corrections', 'tasks', ...movement],
  TokenCreated: ['token-list'],
  TokenChanged: ['token-list'],
  TokenEnabled: ['token-list'],
  TokenDisabled: ['token-list'],
  TokenDeleted: ['token-list'],
  ChannelCreated: none,
  ChannelChanged: none,
  ChannelKeyReplaced: none,
  ChannelEnabled: none,
  ChannelDisabled: none,
  ChannelAutoDisabled: none,
  ChannelAutoEnabled: none,
  ChannelTested: none,
  ChannelBalanceRead: none,
  ChannelTagged: none,
  ChannelDeleted: none,
  RedemptionCreated: none,
  RedemptionChanged: none,
  RedemptionEnabled: none,
  RedemptionDisabled: none,
  RedemptionRedeemed: ['grants'],
  RedemptionDeleted: none,
  TopUpOrdered: ['payments', 'topup-list'],
  TopUpOffered: ['payments'],
  TopUpPaid: ['payments', 'topup-list'],
  TopUpPaidAgain: none,
  TopUpExpired: ['payments', 'topup-list'],
  TaskSubmitted: none,
  TaskAccepted: ['tasks'],
  TaskProgressed: none,
  TaskSucceeded: none,
  TaskSettled: ['tasks'],
  TaskFailed: ['tasks'],
  TaskRemoved: none,
  RequestFailed: ['requests'],
  CallsRefused: none,
  KeyringWritten: none,
  AccountSnapshotTaken: none,
  IdsReserved: none,
  IdVoided: none,
  LeasedAccountsNoted: none,
  ProcessAdvanced: ['checkpoints'],
  UsageRecordSetAside: ['dead-letters'],
  ValueClaimed: none,
} as const satisfies Readonly<Record<EventType, readonly CheckName[]>>;

type ConcernedType<N extends CheckName> = {
  [Type in EventType]: N extends (typeof concerns)[Type][number] ? Type : never;
}[EventType];
/** The events that a check is given. */
export type ConcernedEvent<N extends CheckName> = Extract<ProductEvent, { type: ConcernedType<N> }>;

const byType = new Map<string, readonly CheckName[]>(Object.entries(concerns));

export const concernsOf = (type: string): readonly CheckName[] => byType.get(type) ?? none;
