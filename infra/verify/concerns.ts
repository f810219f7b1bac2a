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
export type RowCheckName =
  | 'user-list'
  | 'token-list'
  | 'channel-list'
  | 'option-list'
  | 'redemption-list'
  | 'topup-list'
  | 'ledger'
  | 'usage-log'
  | 'relay-feeds';

const managedUser = ['user-list', 'usage-log', 'relay-feeds'] as const;
const managed = ['usage-log'] as const;
const fed = ['relay-feeds'] as const;
const managedChannel = ['channel-list', 'usage-log', 'relay-feeds'] as const;
const managedCode = ['redemption-list', 'usage-log'] as const;
const managedOption = ['option-list', 'usage-log', 'relay-feeds'] as const;
const movement = ['accounts', 'ledger', 'user-list', 'usage-log'] as const;
const none = [] as const;

/**
 * The checks that each event type concerns. The log check sees every event: ids, revisions and
 * metadata. A new event type stops the build until it stands here, and a check that is named here
 * does not compile until it handles the type.
 */
const concerns = {
  SiteInitialised: ['option-list', 'relay-feeds'],
  OptionChanged: managedOption,
  SecretOptionChanged: managedOption,
  OptionReset: managedOption,
  UsageLogPruned: managed,
  UserRegistered: ['people', ...managedUser],
  UserProfileChanged: none,
  UserGroupChanged: managedUser,
  PasswordChanged: fed,
  PasswordReset: ['usage-log', 'relay-feeds'],
  UserPromoted: managedUser,
  UserDemoted: managedUser,
  UserDisabled: managedUser,
  UserEnabled: managedUser,
  UserDeleted: ['people', ...managedUser],
  IdentityLinked: none,
  IdentityUnlinked: none,
  AccessTokenIssued: none,
  UserSettingsChanged: fed,
  UserLoggedIn: fed,
  SessionEnded: fed,
  SessionsEnded: fed,
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
  RequestCharged: ['requests', 'producers', 'tasks', 'token-list', 'channel-list', ...movement],
  RequestRefunded: ['requests', 'tasks', 'token-list', ...movement],
  RequestAbandoned: ['accounts', 'requests', 'usage-log'],
  UsageNumberSkipped: ['producers'],
  ProducerClosed: ['producers'],
  TokenBudgetSet: ['accounts', 'token-list'],
  TokenBudgetClosed: ['accounts'],
  ReferralRewarded: ['accounts', 'usage-log'],
  ReferralRewardTransferred: movement,
  CorrectionPosted: ['corrections', 'tasks', ...movement],
  TokenCreated: ['token-list', 'relay-feeds'],
  TokenChanged: ['token-list', 'relay-feeds'],
  TokenEnabled: ['token-list', 'relay-feeds'],
  TokenDisabled: ['token-list', 'relay-feeds'],
  TokenDeleted: ['token-list', 'relay-feeds'],
  ChannelCreated: managedChannel,
  ChannelChanged: ['usage-log', 'relay-feeds'],
  ChannelKeyReplaced: ['usage-log', 'relay-feeds'],
  ChannelEnabled: managedChannel,
  ChannelDisabled: managedChannel,
  ChannelAutoDisabled: ['channel-list', 'relay-feeds'],
  ChannelAutoEnabled: ['channel-list', 'relay-feeds'],
  ChannelTested: none,
  ChannelBalanceRead: none,
  ChannelTagged: ['usage-log', 'relay-feeds'],
  ChannelDeleted: managedChannel,
  RedemptionCreated: managedCode,
  RedemptionChanged: managedCode,
  RedemptionEnabled: managedCode,
  RedemptionDisabled: managedCode,
  RedemptionRedeemed: ['grants', 'redemption-list'],
  RedemptionDeleted: managedCode,
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
  RequestFailed: ['requests', 'usage-log'],
  KeyringWritten: fed,
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
