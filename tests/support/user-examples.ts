import type { UserCommand } from '../../domain/user/commands.ts';
import type { SessionOpened, UserEvent } from '../../domain/user/events.ts';
import { aMetadata } from './metadata-examples.ts';

type EventOf<Type extends UserEvent['type']> = Extract<UserEvent, { type: Type }>;
type CommandOf<Type extends UserCommand['type']> = Extract<UserCommand, { type: Type }>;

const ada = {
  userId: 42,
  username: 'ada',
  displayName: 'sealed:Ada',
  email: null,
  passwordHash: 'argon2id:first',
  role: 1,
  group: 'default',
  affCode: 'aDa1',
  inviterId: null,
} as const satisfies EventOf<'UserRegistered'>['data'];

export const aUserRegistered = (
  changes: Partial<EventOf<'UserRegistered'>['data']> = {},
): EventOf<'UserRegistered'> => ({ type: 'UserRegistered', data: { ...ada, ...changes } });

export const aRegisterUser = (
  changes: Partial<CommandOf<'RegisterUser'>['data']> = {},
): CommandOf<'RegisterUser'> => ({
  type: 'RegisterUser',
  data: { ...ada, identities: [], ...changes },
  metadata: aMetadata(),
});

/** A command about ada; the data beside her id is given by the test. */
export const aUserCommand = <Type extends UserCommand['type']>(
  type: Type,
  data: Omit<CommandOf<Type>['data'], 'userId'>,
): UserCommand => {
  const command: unknown = {
    type,
    data: { userId: ada.userId, ...data },
    metadata: aMetadata(),
  };
  return command as UserCommand;
};

export const aUserDisabled = (sessionEpoch = 1): EventOf<'UserDisabled'> => ({
  type: 'UserDisabled',
  data: { userId: ada.userId, sessionEpoch },
});

export const aUserDeleted = (sessionEpoch = 1): EventOf<'UserDeleted'> => ({
  type: 'UserDeleted',
  data: { userId: ada.userId, sessionEpoch },
});

export const anIdentityLinked = (
  changes: Partial<EventOf<'IdentityLinked'>['data']> = {},
): EventOf<'IdentityLinked'> => ({
  type: 'IdentityLinked',
  data: {
    userId: ada.userId,
    provider: 'github',
    externalId: 'sealed:4711',
    identityHash: 'hash-4711',
    ...changes,
  },
});

export const aUserSettingsChanged = (
  changes: Partial<EventOf<'UserSettingsChanged'>['data']['settings']> = {},
): EventOf<'UserSettingsChanged'> => ({
  type: 'UserSettingsChanged',
  data: {
    userId: ada.userId,
    settings: {
      notifyType: 'webhook',
      quotaWarningThreshold: 500_000,
      webhookUrl: 'https://hooks.example/a',
      webhookSecret: 'sealed:secret',
      notificationEmail: null,
      acceptUnsetModelRatioModel: false,
      ...changes,
    },
  },
});

/** A valid session id, one for each number. */
export const aSessionId = (nth = 1): string => `session${String(nth).padStart(15, '0')}`;

export const aSessionOpened = (changes: Partial<SessionOpened> = {}): SessionOpened => ({
  sessionId: aSessionId(),
  openedAt: '2026-01-02T03:04:05.000Z',
  device: 'sealed:Firefox 130, Linux',
  address: 'sealed:192.0.2.7',
  ...changes,
});

export const aUserLoggedIn = (session: Partial<SessionOpened> = {}): EventOf<'UserLoggedIn'> => ({
  type: 'UserLoggedIn',
  data: { userId: ada.userId, method: 'password', session: aSessionOpened(session) },
});

export const aSessionEnded = (
  changes: Partial<EventOf<'SessionEnded'>['data']> = {},
): EventOf<'SessionEnded'> => ({
  type: 'SessionEnded',
  data: { userId: ada.userId, sessionId: aSessionId(), reason: 'logged-out', ...changes },
});

export const aTotpEnrolled = (
  changes: Partial<EventOf<'TotpEnrolled'>['data']> = {},
): EventOf<'TotpEnrolled'> => ({
  type: 'TotpEnrolled',
  data: { userId: ada.userId, secret: 'sealed:secret', timeStep: 100, ...changes },
});

export const aRecoveryCodesIssued = (
  codeHashes: readonly string[],
  { userId } = { userId: ada.userId as number },
): EventOf<'RecoveryCodesIssued'> => ({
  type: 'RecoveryCodesIssued',
  data: { userId, codeHashes },
});

export const aPasskeyAdded = (
  changes: Partial<EventOf<'PasskeyAdded'>['data']> = {},
): EventOf<'PasskeyAdded'> => ({
  type: 'PasskeyAdded',
  data: {
    userId: ada.userId,
    credentialId: 'credential-1',
    publicKey: 'cose-key',
    counter: 1,
    name: 'sealed:Phone',
    transports: ['internal'],
    ...changes,
  },
});
