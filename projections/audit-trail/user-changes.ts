import type {
  UserEvent,
  UserLoggedIn,
  UserLoginFailed,
  UserSettingsChanged,
} from '../../domain/user/events.ts';
import type { SecondFactorEvent } from '../../domain/user/second-factor-events.ts';
import { isSecondFactorEvent } from '../../domain/user/second-factors.ts';
import type { Change } from './changes.ts';

const settingsChange = ({ data: { settings, personal } }: UserSettingsChanged): Change => {
  const { webhookSecret, webhookUrl, notificationEmail, ...shown } = settings;
  const secrets = [
    ...(webhookUrl === '' && personal === undefined ? [] : ['webhookUrl']),
    ...(webhookSecret === null ? [] : ['webhookSecret']),
    ...(notificationEmail === null ? [] : ['notificationEmail']),
  ];
  return { set: shown, secrets };
};

const loginFacts = ({ data: { method, secondFactor } }: UserLoggedIn) => ({
  method,
  ...(secondFactor === undefined ? {} : { secondFactor }),
});

const factorChange = (event: SecondFactorEvent): Change => {
  switch (event.type) {
    case 'TotpEnrolled':
      return { secrets: ['authenticator'] };
    case 'TotpCodeUsed':
    case 'PasskeyUsed':
    case 'RecoveryCodeUsed':
      return { facts: { purpose: event.data.purpose } };
    case 'RecoveryCodesIssued':
      return { facts: { count: event.data.codeHashes.length }, secrets: ['recoveryCodes'] };
    case 'PasskeyAdded':
    case 'PasskeyRenamed':
      return { secrets: ['passkeyName'] };
    case 'TotpRemoved':
    case 'PasskeyRemoved':
    case 'SecondFactorsRemoved':
      return {};
  }
};

/** Personal data is named and never shown, so that nothing of it outlives the person's key. */
export const userChange = (event: UserEvent | UserLoginFailed): Change => {
  if (isSecondFactorEvent(event)) return factorChange(event);
  switch (event.type) {
    case 'UserRegistered': {
      const { username, role, group, inviterId } = event.data;
      const secrets = ['displayName', ...(event.data.email === null ? [] : ['email'])];
      const password = event.data.passwordHash === null ? [] : ['password'];
      return {
        set: { username, role, group, inviterId, status: 'active' },
        secrets: [...secrets, ...password],
        name: username,
      };
    }
    case 'UserProfileChanged':
      return {
        set: { username: event.data.username },
        secrets: ['displayName'],
        name: event.data.username,
      };
    case 'UserGroupChanged':
      return { set: { group: event.data.group } };
    case 'PasswordChanged':
    case 'PasswordReset':
      return { secrets: ['password'] };
    case 'UserPromoted':
    case 'UserDemoted':
      return { set: { role: event.data.role } };
    case 'UserDisabled':
      return { set: { status: 'banned' } };
    case 'UserEnabled':
      return { set: { status: 'active' } };
    case 'UserDeleted':
      return { gone: true };
    case 'IdentityLinked':
    case 'IdentityUnlinked':
      return { facts: { provider: event.data.provider }, secrets: ['identity'] };
    case 'AccessTokenIssued':
      return { secrets: ['accessToken'] };
    case 'UserSettingsChanged':
      return settingsChange(event);
    case 'UserLoggedIn':
      return { facts: loginFacts(event) };
    case 'UserLoginFailed':
      return {
        facts: { method: event.data.method, count: event.data.count },
        secrets: ['address'],
      };
    case 'SessionEnded':
      return { facts: { reason: event.data.reason } };
    case 'SessionsEnded':
      return {};
  }
};
