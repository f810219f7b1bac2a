import type { UsageRecordSetAside } from './account/dead-letter.ts';
import type { AccountEvent } from './account/events.ts';
import type { LeasedAccountsNoted } from './account/leased-accounts.ts';
import { accountShapes } from './account/shapes.ts';
import type { AccountSnapshot, AccountSnapshotTaken } from './account/snapshot.ts';
import { adjustedFromVersion1 } from './account/upcast.ts';
import type { ChannelEvent } from './channel/events.ts';
import { channelShapes } from './channel/shapes.ts';
import type { KeyringWritten } from './keyring/events.ts';
import { keyringShapes } from './keyring/shapes.ts';
import type { RedemptionEvent } from './redemption/events.ts';
import { redemptionShapes } from './redemption/shapes.ts';
import type { RelayEvent } from './relay/events.ts';
import { relayShapes } from './relay/shapes.ts';
import type { AuditSubject, CatalogueEntry, StreamCategory, Upcaster } from './shared/catalogue.ts';
import type { IdsReserved, IdVoided, ValueClaimed } from './shared/identity.ts';
import type { ProcessAdvanced } from './shared/process.ts';
import { digits, list, object, pair, type Shape, text, whole } from './shared/shape.ts';
import { dataOf, type Shapes } from './shared/shapes.ts';
import type { SiteEvent } from './site/events.ts';
import { siteShapes } from './site/shapes.ts';
import type { TaskEvent } from './task/events.ts';
import { taskShapes } from './task/shapes.ts';
import type { TokenEvent } from './token/events.ts';
import { tokenShapes } from './token/shapes.ts';
import type { TopUpEvent } from './topup/events.ts';
import { topUpShapes } from './topup/shapes.ts';
import type { PersonalKeyCreated, UserEvent, UserLoginFailed } from './user/events.ts';
import { userLoginFailedShape, userShapes } from './user/shapes.ts';

/** Everything that can happen. */
export type DomainEvent =
  | SiteEvent
  | UserEvent
  | PersonalKeyCreated
  | UserLoginFailed
  | AccountEvent
  | TokenEvent
  | ChannelEvent
  | RedemptionEvent
  | RelayEvent
  | KeyringWritten
  | TaskEvent
  | TopUpEvent;

/** Notes that the writers of the log keep for themselves; no read model shows them. */
type BookkeepingEvent =
  | AccountSnapshotTaken
  | IdsReserved
  | IdVoided
  | LeasedAccountsNoted
  | ProcessAdvanced
  | UsageRecordSetAside
  | ValueClaimed;

/** Every event that the log of the product holds. */
export type ProductEvent = DomainEvent | BookkeepingEvent;
export type EventType = ProductEvent['type'];

/**
 * The state in a snapshot has a version of its own (`account/snapshot.ts`), checked by its reader: an
 * older snapshot is discarded, not upcast.
 */
const snapshotHead = object<Pick<AccountSnapshot, 'version' | 'userId'>>({
  version: whole,
  userId: whole,
});

const bookkeepingShapes: Shapes<BookkeepingEvent> = {
  AccountSnapshotTaken: snapshotHead as Shape<AccountSnapshot>,
  IdsReserved: dataOf<IdsReserved>({ category: text, from: whole, to: whole }),
  IdVoided: dataOf<IdVoided>({ streamId: text, kind: text }),
  LeasedAccountsNoted: dataOf<LeasedAccountsNoted>({
    partition: whole,
    accounts: list(pair(whole, whole)),
  }),
  ProcessAdvanced: dataOf<ProcessAdvanced>({ name: text, position: digits }),
  UsageRecordSetAside: dataOf<UsageRecordSetAside>({ reason: text, record: text }),
  ValueClaimed: dataOf<ValueClaimed>({ kind: text, ownerId: whole, ownerStreamId: text }),
};

type Catalogue = {
  readonly [Type in EventType]: CatalogueEntry<Extract<ProductEvent, { type: Type }>['data']>;
};

/** What is stored tells its own version; see `snapshotHead`. */
const unchanged: Upcaster = (data) => data;

/** An event type whose shape has not changed since its first release. */
const first = <D, C extends StreamCategory | null, A extends AuditSubject | null>(
  category: C,
  auditSubject: A,
  shape: Shape<D>,
) => ({ category, auditSubject, version: 1, upcasters: [], shape }) as const;

/**
 * Every event type: the category of its streams, what the audit trail files it under, its current
 * version, the upcasters from older versions, and the shape of its data. A new event type, or a new
 * field, stops the build until it stands here. How to change one: infra/decisions/0016-event-versions.md.
 */
export const eventCatalogue = {
  SiteInitialised: first('site', 'site', siteShapes.SiteInitialised),
  OptionChanged: first('site', 'option', siteShapes.OptionChanged),
  SecretOptionChanged: first('site', 'option', siteShapes.SecretOptionChanged),
  OptionReset: first('site', 'option', siteShapes.OptionReset),
  UsageLogPruned: first('site', 'site', siteShapes.UsageLogPruned),
  UserRegistered: first('user', 'user', userShapes.UserRegistered),
  UserProfileChanged: first('user', 'user', userShapes.UserProfileChanged),
  UserGroupChanged: first('user', 'user', userShapes.UserGroupChanged),
  PasswordChanged: first('user', 'user', userShapes.PasswordChanged),
  PasswordReset: first('user', 'user', userShapes.PasswordReset),
  UserPromoted: first('user', 'user', userShapes.UserPromoted),
  UserDemoted: first('user', 'user', userShapes.UserDemoted),
  UserDisabled: first('user', 'user', userShapes.UserDisabled),
  UserEnabled: first('user', 'user', userShapes.UserEnabled),
  UserDeleted: first('user', 'user', userShapes.UserDeleted),
  IdentityLinked: first('user', 'user', userShapes.IdentityLinked),
  IdentityUnlinked: first('user', 'user', userShapes.IdentityUnlinked),
  AccessTokenIssued: first('user', 'user', userShapes.AccessTokenIssued),
  UserSettingsChanged: first('user', 'user', userShapes.UserSettingsChanged),
  UserLoggedIn: first('user', 'user', userShapes.UserLoggedIn),
  SessionEnded: first('user', 'user', userShapes.SessionEnded),
  SessionsEnded: first('user', 'user', userShapes.SessionsEnded),
  TotpEnrolled: first('user', 'user', userShapes.TotpEnrolled),
  TotpRemoved: first('user', 'user', userShapes.TotpRemoved),
  TotpCodeUsed: first('user', 'user', userShapes.TotpCodeUsed),
  RecoveryCodesIssued: first('user', 'user', userShapes.RecoveryCodesIssued),
  RecoveryCodeUsed: first('user', 'user', userShapes.RecoveryCodeUsed),
  PasskeyAdded: first('user', 'user', userShapes.PasskeyAdded),
  PasskeyRenamed: first('user', 'user', userShapes.PasskeyRenamed),
  PasskeyRemoved: first('user', 'user', userShapes.PasskeyRemoved),
  PasskeyUsed: first('user', 'user', userShapes.PasskeyUsed),
  SecondFactorsRemoved: first('user', 'user', userShapes.SecondFactorsRemoved),
  UserLoginFailed: first('loginFailures', 'user', userLoginFailedShape),
  PersonalKeyCreated: first('personalKey', null, userShapes.PersonalKeyCreated),
  AccountOpened: first('account', null, accountShapes.AccountOpened),
  QuotaGranted: first('account', 'account', accountShapes.QuotaGranted),
  QuotaAdjusted: {
    category: 'account',
    auditSubject: 'account',
    version: 2,
    upcasters: [adjustedFromVersion1],
    shape: accountShapes.QuotaAdjusted,
  },
  QuotaLeased: first('account', null, accountShapes.QuotaLeased),
  LeaseReturned: first('account', null, accountShapes.LeaseReturned),
  LeaseExpired: first('account', null, accountShapes.LeaseExpired),
  RequestCharged: first('account', null, accountShapes.RequestCharged),
  RequestRefunded: first('account', 'account', accountShapes.RequestRefunded),
  RequestAbandoned: first('account', null, accountShapes.RequestAbandoned),
  UsageNumberSkipped: first('account', null, accountShapes.UsageNumberSkipped),
  ProducerClosed: first('account', null, accountShapes.ProducerClosed),
  TokenBudgetSet: first('account', null, accountShapes.TokenBudgetSet),
  TokenBudgetClosed: first('account', null, accountShapes.TokenBudgetClosed),
  ReferralRewarded: first('account', null, accountShapes.ReferralRewarded),
  ReferralRewardTransferred: first('account', 'account', accountShapes.ReferralRewardTransferred),
  CorrectionPosted: first('account', 'account', accountShapes.CorrectionPosted),
  TokenCreated: first('token', 'token', tokenShapes.TokenCreated),
  TokenChanged: first('token', 'token', tokenShapes.TokenChanged),
  TokenEnabled: first('token', 'token', tokenShapes.TokenEnabled),
  TokenDisabled: first('token', 'token', tokenShapes.TokenDisabled),
  TokenDeleted: first('token', 'token', tokenShapes.TokenDeleted),
  ChannelCreated: first('channel', 'channel', channelShapes.ChannelCreated),
  ChannelChanged: first('channel', 'channel', channelShapes.ChannelChanged),
  ChannelKeyReplaced: first('channel', 'channel', channelShapes.ChannelKeyReplaced),
  ChannelEnabled: first('channel', 'channel', channelShapes.ChannelEnabled),
  ChannelDisabled: first('channel', 'channel', channelShapes.ChannelDisabled),
  ChannelAutoDisabled: first('channel', 'channel', channelShapes.ChannelAutoDisabled),
  ChannelAutoEnabled: first('channel', 'channel', channelShapes.ChannelAutoEnabled),
  ChannelTested: first('channel', null, channelShapes.ChannelTested),
  ChannelBalanceRead: first('channel', null, channelShapes.ChannelBalanceRead),
  ChannelTagged: first('channel', 'channel', channelShapes.ChannelTagged),
  ChannelDeleted: first('channel', 'channel', channelShapes.ChannelDeleted),
  RedemptionCreated: first('redemption', 'redemption', redemptionShapes.RedemptionCreated),
  RedemptionChanged: first('redemption', 'redemption', redemptionShapes.RedemptionChanged),
  RedemptionEnabled: first('redemption', 'redemption', redemptionShapes.RedemptionEnabled),
  RedemptionDisabled: first('redemption', 'redemption', redemptionShapes.RedemptionDisabled),
  RedemptionRedeemed: first('redemption', 'redemption', redemptionShapes.RedemptionRedeemed),
  RedemptionDeleted: first('redemption', 'redemption', redemptionShapes.RedemptionDeleted),
  TopUpOrdered: first('topup', 'topup', topUpShapes.TopUpOrdered),
  TopUpOffered: first('topup', null, topUpShapes.TopUpOffered),
  TopUpPaid: first('topup', 'topup', topUpShapes.TopUpPaid),
  TopUpPaidAgain: first('topup', 'topup', topUpShapes.TopUpPaidAgain),
  TopUpExpired: first('topup', 'topup', topUpShapes.TopUpExpired),
  TaskSubmitted: first('task', null, taskShapes.TaskSubmitted),
  TaskAccepted: first('task', null, taskShapes.TaskAccepted),
  TaskProgressed: first('task', null, taskShapes.TaskProgressed),
  TaskSucceeded: first('task', null, taskShapes.TaskSucceeded),
  TaskSettled: first('task', null, taskShapes.TaskSettled),
  TaskFailed: first('task', null, taskShapes.TaskFailed),
  TaskRemoved: first('task', null, taskShapes.TaskRemoved),
  RequestFailed: first('relay', null, relayShapes.RequestFailed),
  KeyringWritten: first('keyring', null, keyringShapes.KeyringWritten),
  AccountSnapshotTaken: {
    category: 'accountSnapshot',
    auditSubject: null,
    version: 4,
    upcasters: [unchanged, unchanged, unchanged],
    shape: bookkeepingShapes.AccountSnapshotTaken,
  },
  IdsReserved: first('ids', null, bookkeepingShapes.IdsReserved),
  IdVoided: first(null, null, bookkeepingShapes.IdVoided),
  LeasedAccountsNoted: first('leasedAccounts', null, bookkeepingShapes.LeasedAccountsNoted),
  ProcessAdvanced: first('process', null, bookkeepingShapes.ProcessAdvanced),
  UsageRecordSetAside: first('usageSetAside', null, bookkeepingShapes.UsageRecordSetAside),
  ValueClaimed: first(null, null, bookkeepingShapes.ValueClaimed),
} satisfies Catalogue;

const entries = new Map<string, CatalogueEntry<never>>(Object.entries(eventCatalogue));

/** undefined: no event type of the product. */
export const catalogueEntryOf = (type: string): CatalogueEntry<never> | undefined =>
  entries.get(type);

type AuditedType = {
  [Type in EventType]: (typeof eventCatalogue)[Type]['auditSubject'] extends null ? never : Type;
}[EventType];
/** The events that the audit trail files under a subject. */
export type AuditedEvent = Extract<ProductEvent, { type: AuditedType }>;
