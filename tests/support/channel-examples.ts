import type { ChannelCommand } from '../../domain/channel/commands.ts';
import type { ChannelEvent, ChannelSettings } from '../../domain/channel/events.ts';
import { aMetadata } from './metadata-examples.ts';

type EventOf<Type extends ChannelEvent['type']> = Extract<ChannelEvent, { type: Type }>;
type CommandOf<Type extends ChannelCommand['type']> = Extract<ChannelCommand, { type: Type }>;

export const someSettings = (changes: Partial<ChannelSettings> = {}): ChannelSettings => ({
  type: 1,
  name: 'main',
  models: ['gpt-4o', 'gpt-4o-mini'],
  groups: ['default'],
  baseUrl: '',
  other: '',
  organization: '',
  testModel: '',
  tag: '',
  modelMapping: '',
  statusCodeMapping: '',
  setting: '',
  paramOverride: '',
  priority: 0,
  weight: 0,
  autoBan: true,
  ...changes,
});

const channelId = 3;

export const aChannelCreated = (
  settings: Partial<ChannelSettings> = {},
  status: 1 | 2 | 3 = 1,
): EventOf<'ChannelCreated'> => ({
  type: 'ChannelCreated',
  data: { channelId, sealedKey: 'sealed:key', settings: someSettings(settings), status },
});

export const aCreateChannel = (
  settings: Partial<ChannelSettings> = {},
  enabled = true,
): CommandOf<'CreateChannel'> => ({
  type: 'CreateChannel',
  data: { channelId, sealedKey: 'sealed:key', settings: someSettings(settings), enabled },
  metadata: aMetadata(),
});

export const aChangeChannel = (
  settings: Partial<ChannelSettings> = {},
  sealedKey?: string,
): CommandOf<'ChangeChannel'> => ({
  type: 'ChangeChannel',
  data: {
    channelId,
    settings: someSettings(settings),
    ...(sealedKey === undefined ? {} : { sealedKey }),
  },
  metadata: aMetadata(),
});

/** A command about this channel; the test adds the data next to its id. */
export const aChannelCommand = <Type extends ChannelCommand['type']>(
  type: Type,
  data: Omit<CommandOf<Type>['data'], 'channelId'>,
): ChannelCommand =>
  ({ type, data: { channelId, ...data }, metadata: aMetadata() }) as ChannelCommand;

export const aChannelEvent = <
  Type extends 'ChannelEnabled' | 'ChannelDisabled' | 'ChannelAutoEnabled' | 'ChannelDeleted',
>(
  type: Type,
): ChannelEvent => ({ type, data: { channelId } }) as ChannelEvent;

export const aChannelAutoDisabled = (
  reason = 'credit balance is too low',
): EventOf<'ChannelAutoDisabled'> => ({
  type: 'ChannelAutoDisabled',
  data: { channelId, reason },
});
