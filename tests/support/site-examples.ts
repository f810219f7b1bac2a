import type { SiteCommand } from '../../domain/site/commands.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import { aMetadata } from './metadata-examples.ts';

type EventOf<Type extends SiteEvent['type']> = Extract<SiteEvent, { type: Type }>;
type CommandOf<Type extends SiteCommand['type']> = Extract<SiteCommand, { type: Type }>;

export const aSiteInitialised = (
  changes: Partial<EventOf<'SiteInitialised'>['data']> = {},
): EventOf<'SiteInitialised'> => ({
  type: 'SiteInitialised',
  data: { rootUserId: 1, selfUseMode: false, demoSite: false, ...changes },
});

export const anInitialiseSite = (
  changes: Partial<CommandOf<'InitialiseSite'>['data']> = {},
): CommandOf<'InitialiseSite'> => ({
  type: 'InitialiseSite',
  data: { rootUserId: 1, selfUseMode: false, demoSite: false, ...changes },
  metadata: aMetadata(),
});

export const anOptionChanged = (
  key: string,
  value: string,
  previous: string | null = null,
): EventOf<'OptionChanged'> => ({ type: 'OptionChanged', data: { key, value, previous } });

export const aSecretOptionChanged = (key: string): EventOf<'SecretOptionChanged'> => ({
  type: 'SecretOptionChanged',
  data: { key, sealed: 'sealed:secret' },
});

export const anOptionReset = (
  key: string,
  previous: string | null = null,
): EventOf<'OptionReset'> => ({ type: 'OptionReset', data: { key, previous } });

export const aChangeOption = (
  key: string,
  value: string,
  actorRole: 10 | 100 = 100,
): CommandOf<'ChangeOption'> => ({
  type: 'ChangeOption',
  data: { key, value, actorRole },
  metadata: aMetadata(),
});

export const aChangeSecretOption = (
  key: string,
  actorRole: 10 | 100 = 100,
): CommandOf<'ChangeSecretOption'> => ({
  type: 'ChangeSecretOption',
  data: { key, sealed: 'sealed:secret', actorRole },
  metadata: aMetadata(),
});

export const aResetOption = (key: string, actorRole: 10 | 100 = 100): CommandOf<'ResetOption'> => ({
  type: 'ResetOption',
  data: { key, actorRole },
  metadata: aMetadata(),
});
