import type { AccountEvent, RequestCharged } from '../../domain/account/events.ts';
import { usedAnything } from '../../domain/pricing/counts.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import { emailField } from '../../domain/shared/sealed.ts';
import type {
  IdentityLinked,
  IdentityProvider,
  PasswordChanged,
  PasswordReset,
  PersonalKeyCreated,
  UserDemoted,
  UserEvent,
  UserPromoted,
  UserRegistered,
  UserSettingsChanged,
} from '../../domain/user/events.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { ReadVault } from '../../infra/ports/vault.ts';
import type { UserSetting } from '../contract/user.ts';
import { type Projector, projector } from '../runtime/projector.ts';
import {
  type PersonalData,
  personalKeyTable,
  preparePersonalData,
} from '../shared/personal-data.ts';
import { keepSecondFactors, prepareSecondFactors } from './second-factors.ts';
import { keepSessions, prepareSessions } from './sessions.ts';
import { type UserListRow, userListTables } from './table.ts';

const columnOf = {
  email: 'email',
  github: 'github_id',
  oidc: 'oidc_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
  linuxdo: 'linux_do_id',
} as const satisfies Record<IdentityProvider, keyof UserListRow>;

/** Events whose person's data the rows show. */
const personalTypes: ReadonlySet<string> = new Set<UserEvent['type']>([
  'UserRegistered',
  'UserProfileChanged',
  'IdentityLinked',
  'UserSettingsChanged',
]);

const newUser = (data: UserRegistered['data'], personal: PersonalData): UserListRow => ({
  id: data.userId,
  username: data.username,
  display_name: personal.open(data.userId, data.displayName, 'display-name'),
  role: data.role,
  status: 1,
  email: personal.open(data.userId, data.email, emailField),
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: data.group,
  aff_code: data.affCode,
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: data.inviterId ?? 0,
  deleted_at: null,
  setting: '',
  session_epoch: 0,
  access_token_hash: null,
  second_factors: '',
  has_second_factor: false,
});

/** What people call the account there. */
const shownIdentity = ({ data }: IdentityLinked, personal: PersonalData): string => {
  const { userId, provider, label, externalId } = data;
  return label === undefined
    ? personal.open(userId, externalId, `identity/${provider}`)
    : personal.open(userId, label, `identity-label/${provider}`);
};

const settingText = (event: UserSettingsChanged, personal: PersonalData): string => {
  const { settings, userId } = personal.whole(event);
  return JSON.stringify({
    notify_type: settings.notifyType,
    quota_warning_threshold: settings.quotaWarningThreshold,
    webhook_url: settings.webhookUrl,
    webhook_secret_set: settings.webhookSecret !== null,
    notification_email: personal.open(userId, settings.notificationEmail, 'notification-email'),
    accept_unset_model_ratio_model: settings.acceptUnsetModelRatioModel,
  } satisfies UserSetting);
};

/** Calls that used nothing and cost nothing do not count. */
const countsAsRequest = ({ event: { data } }: Recorded<RequestCharged>): number =>
  data.amount > 0 || usedAnything(data.usage) ? 1 : 0;

/** It ends every other way in: sessions and the access token. */
const withNewPassword = ({ data }: PasswordChanged | PasswordReset) => ({
  session_epoch: data.sessionEpoch,
  access_token_hash: null,
});

const withNewRole = ({ data }: UserPromoted | UserDemoted) => ({
  role: data.role,
  session_epoch: data.sessionEpoch,
});

const erased = {
  username: '',
  display_name: '',
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  setting: '',
  access_token_hash: null,
  second_factors: '',
  has_second_factor: false,
} as const;

type Deps = Readonly<{
  vault: ReadVault;
  logger: Logger;
  /** A person's key was destroyed, and with it the sealed texts of the rows. */
  onDeparture: () => void;
}>;

/** Answers: who has an account, what may they do, and what is left of their quota? */
export const userListProjector = ({ vault, logger, onDeparture }: Deps): Projector => {
  const personalData = preparePersonalData({ vault, logger }, personalTypes);
  return projector<UserEvent | AccountEvent | PersonalKeyCreated>()({
    name: 'user-list',
    version: 4,
    tables: userListTables,
    prepare: async (events, place) => ({
      personal: await personalData(events, place),
      sessions: await prepareSessions(events, place),
      factors: await prepareSecondFactors(events, place),
    }),
    committed: async (changes) => {
      const keys = changes.find(({ table }) => table.name === personalKeyTable.name);
      const isGone = [...(keys?.keyed.values() ?? [])].some(({ kind }) => kind === 'remove');
      if (isGone) onDeparture();
    },
    on: {
      PersonalKeyCreated: ({ keys }, { event: { data } }, { personal }) => {
        personal.learn(data.userId, data.wrappedKey);
        keys.put({ user_id: data.userId, wrapped_key: data.wrappedKey });
      },
      UserRegistered: ({ users }, { event }, { personal }) => {
        users.put(newUser(personal.whole(event), personal));
        // Counted here and not with the reward: an invitation counts where none is paid, too.
        const { inviterId } = event.data;
        if (inviterId !== null) users.add(inviterId, { aff_count: 1 });
      },
      UserProfileChanged: ({ users }, { event }, { personal }) => {
        const { userId, username, displayName } = personal.whole(event);
        users.patch(userId, {
          username,
          display_name: personal.open(userId, displayName, 'display-name'),
        });
      },
      UserGroupChanged: ({ users }, { event: { data } }) =>
        users.patch(data.userId, { group: data.group }),
      PasswordChanged: (rows, { event }, { sessions }) => {
        rows.users.patch(event.data.userId, withNewPassword(event));
        keepSessions(rows, event, sessions);
      },
      PasswordReset: (rows, { event }, { sessions }) => {
        rows.users.patch(event.data.userId, withNewPassword(event));
        keepSessions(rows, event, sessions);
      },
      UserPromoted: (rows, { event }, { sessions }) => {
        rows.users.patch(event.data.userId, withNewRole(event));
        keepSessions(rows, event, sessions);
      },
      UserDemoted: (rows, { event }, { sessions }) => {
        rows.users.patch(event.data.userId, withNewRole(event));
        keepSessions(rows, event, sessions);
      },
      UserDisabled: (rows, { event }, { sessions }) => {
        const { userId, sessionEpoch } = event.data;
        rows.users.patch(userId, { status: 2, session_epoch: sessionEpoch });
        keepSessions(rows, event, sessions);
      },
      UserEnabled: ({ users }, { event: { data } }) => users.patch(data.userId, { status: 1 }),
      UserDeleted: (rows, { event, metadata }, { sessions }) => {
        const { userId, sessionEpoch } = event.data;
        const deleted = { deleted_at: metadata.occurredAt, session_epoch: sessionEpoch };
        rows.users.patch(userId, { ...erased, ...deleted });
        rows.keys.remove(userId);
        keepSessions(rows, event, sessions);
      },
      IdentityLinked: ({ users }, { event }, { personal }) =>
        users.patch(event.data.userId, {
          [columnOf[event.data.provider]]: shownIdentity(event, personal),
        }),
      IdentityUnlinked: ({ users }, { event: { data } }) =>
        users.patch(data.userId, { [columnOf[data.provider]]: '' }),
      AccessTokenIssued: ({ users }, { event: { data } }) =>
        users.patch(data.userId, { access_token_hash: data.accessTokenHash }),
      UserSettingsChanged: ({ users }, { event }, { personal }) =>
        users.patch(event.data.userId, { setting: settingText(event, personal) }),
      UserLoggedIn: (rows, { event }, { sessions }) => keepSessions(rows, event, sessions),
      SessionEnded: (rows, { event }, { sessions }) => keepSessions(rows, event, sessions),
      SessionsEnded: (rows, { event }, { sessions }) => {
        rows.users.patch(event.data.userId, { session_epoch: event.data.sessionEpoch });
        keepSessions(rows, event, sessions);
      },
      TotpEnrolled: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      TotpRemoved: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      TotpCodeUsed: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      RecoveryCodesIssued: (rows, recorded, { factors }) =>
        keepSecondFactors(rows, recorded, factors),
      RecoveryCodeUsed: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      PasskeyAdded: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      PasskeyRenamed: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      PasskeyRemoved: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      PasskeyUsed: (rows, recorded, { factors }) => keepSecondFactors(rows, recorded, factors),
      SecondFactorsRemoved: (rows, recorded, { factors }) =>
        keepSecondFactors(rows, recorded, factors),

      AccountOpened: 'ignored',
      QuotaGranted: ({ users }, { event: { data } }) =>
        users.patch(data.userId, { quota: data.balanceAfter }),
      QuotaAdjusted: ({ users }, { event: { data } }) =>
        users.patch(data.userId, { quota: data.balanceAfter }),
      QuotaLeased: 'ignored',
      LeaseReturned: 'ignored',
      LeaseExpired: 'ignored',
      RequestCharged: ({ users }, recorded) => {
        const { userId, amount, balanceAfter } = recorded.event.data;
        users.patch(userId, { quota: balanceAfter });
        users.add(userId, { used_quota: amount, request_count: countsAsRequest(recorded) });
      },
      RequestRefunded: ({ users }, { event: { data } }) => {
        users.patch(data.userId, { quota: data.balanceAfter });
        users.add(data.userId, { used_quota: -data.amount });
      },
      RequestAbandoned: 'ignored',
      TokenBudgetSet: 'ignored',
      UsageNumberSkipped: 'ignored',
      ProducerClosed: 'ignored',
      TokenBudgetClosed: 'ignored',
      ReferralRewarded: ({ users }, { event: { data } }) =>
        users.add(data.userId, { aff_quota: data.amount, aff_history_quota: data.amount }),
      ReferralRewardTransferred: ({ users }, { event: { data } }) => {
        users.patch(data.userId, { quota: data.balanceAfter });
        users.add(data.userId, { aff_quota: -data.amount });
      },
      CorrectionPosted: ({ users }, { event: { data } }) =>
        users.patch(data.userId, { quota: data.balanceAfter }),
    },
  });
};
