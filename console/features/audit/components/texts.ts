import type { TFunction } from 'i18next';

type Translate = TFunction<'audit'>;

/** What can be acted on. */
export const subjectKinds = [
  'option',
  'channel',
  'user',
  'token',
  'redemption',
  'topup',
  'account',
  'site',
] as const;

/** Events that the trail has a text for. */
export const eventTypes = [
  'SiteInitialised',
  'OptionChanged',
  'SecretOptionChanged',
  'OptionReset',
  'UsageLogPruned',
  'ChannelCreated',
  'ChannelChanged',
  'ChannelTagged',
  'ChannelKeyReplaced',
  'ChannelEnabled',
  'ChannelDisabled',
  'ChannelAutoDisabled',
  'ChannelAutoEnabled',
  'ChannelDeleted',
  'UserRegistered',
  'UserProfileChanged',
  'UserGroupChanged',
  'UserPromoted',
  'UserDemoted',
  'UserSettingsChanged',
  'UserEnabled',
  'UserDisabled',
  'UserDeleted',
  'UserLoggedIn',
  'UserLoginFailed',
  'PasswordChanged',
  'PasswordReset',
  'IdentityLinked',
  'IdentityUnlinked',
  'AccessTokenIssued',
  'SessionEnded',
  'SessionsEnded',
  'TotpEnrolled',
  'TotpRemoved',
  'TotpCodeUsed',
  'RecoveryCodesIssued',
  'RecoveryCodeUsed',
  'PasskeyAdded',
  'PasskeyRenamed',
  'PasskeyRemoved',
  'PasskeyUsed',
  'SecondFactorsRemoved',
  'TokenCreated',
  'TokenChanged',
  'TokenEnabled',
  'TokenDisabled',
  'TokenDeleted',
  'RedemptionCreated',
  'RedemptionChanged',
  'RedemptionEnabled',
  'RedemptionDisabled',
  'RedemptionDeleted',
  'RedemptionRedeemed',
  'TopUpOrdered',
  'TopUpPaid',
  'TopUpPaidAgain',
  'TopUpExpired',
  'RequestRefunded',
  'ReferralRewardTransferred',
  'QuotaGranted',
  'QuotaAdjusted',
  'CorrectionPosted',
] as const;

/** What only a newer server has is shown by its own name. */
export const typeText = (type: string, t: Translate): string => {
  const known = eventTypes.find((candidate) => candidate === type);
  return known ? t(`type.${known}`) : type;
};

export const subjectText = (kind: string, t: Translate): string => {
  const known = subjectKinds.find((candidate) => candidate === kind);
  return known ? t(`subject.${known}`) : kind;
};
