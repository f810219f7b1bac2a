import type { TokenCommand } from '../../domain/token/commands.ts';
import type { TokenEvent, TokenTerms } from '../../domain/token/events.ts';
import { aMetadata } from './metadata-examples.ts';

type EventOf<Type extends TokenEvent['type']> = Extract<TokenEvent, { type: Type }>;
type CommandOf<Type extends TokenCommand['type']> = Extract<TokenCommand, { type: Type }>;

export const someTerms = (changes: Partial<TokenTerms> = {}): TokenTerms => ({
  name: 'laptop',
  expiredTime: -1,
  unlimitedQuota: false,
  remainQuota: 500_000,
  modelLimitsEnabled: false,
  modelLimits: [],
  allowIps: [],
  group: '',
  ...changes,
});

const key = { sealedKey: 'sealed:abc', keyHash: 'sha256-of-abc' };
const owned = { tokenId: 7, userId: 42 };

export const aTokenCreated = (terms: Partial<TokenTerms> = {}): EventOf<'TokenCreated'> => ({
  type: 'TokenCreated',
  data: { ...owned, ...key, terms: someTerms(terms) },
});

export const aTokenChanged = (
  changes: Partial<EventOf<'TokenChanged'>['data']> = {},
): EventOf<'TokenChanged'> => ({
  type: 'TokenChanged',
  data: {
    ...owned,
    keyHash: key.keyHash,
    terms: someTerms(),
    previous: someTerms(),
    ...changes,
  },
});

export const aTokenEvent = <Type extends 'TokenEnabled' | 'TokenDisabled' | 'TokenDeleted'>(
  type: Type,
): TokenEvent => ({ type, data: { ...owned, keyHash: key.keyHash } }) as TokenEvent;

export const aCreateToken = (terms: Partial<TokenTerms> = {}): CommandOf<'CreateToken'> => ({
  type: 'CreateToken',
  data: { ...owned, ...key, terms: someTerms(terms) },
  metadata: aMetadata(),
});

export const aChangeToken = (
  terms: Partial<TokenTerms> = {},
  setsBudget = false,
): CommandOf<'ChangeToken'> => ({
  type: 'ChangeToken',
  data: { ...owned, terms: someTerms(terms), setsBudget },
  metadata: aMetadata(),
});

export const anEnableToken = (
  changes: Partial<CommandOf<'EnableToken'>['data']> = {},
): CommandOf<'EnableToken'> => ({
  type: 'EnableToken',
  data: { ...owned, nowSeconds: 1_772_000_000, ...changes },
  metadata: aMetadata(),
});

export const aDisableToken = (userId = owned.userId): CommandOf<'DisableToken'> => ({
  type: 'DisableToken',
  data: { ...owned, userId },
  metadata: aMetadata(),
});

export const aDeleteToken = (): CommandOf<'DeleteToken'> => ({
  type: 'DeleteToken',
  data: owned,
  metadata: aMetadata(),
});
