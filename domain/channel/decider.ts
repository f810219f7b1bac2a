import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import { isDecimalText } from '../shared/decimal.ts';
import type { ChannelId } from '../shared/ids.ts';
import { reasonField } from '../shared/reason.ts';
import type { Sealed } from '../shared/sealed.ts';
import type {
  AutoDisableChannel,
  ChangeChannel,
  ChannelCommand,
  CreateChannel,
  TagChannel,
} from './commands.ts';
import type { ChannelEvent, ChannelSettings } from './events.ts';
import { sendsKeyElsewhere } from './key-target.ts';
import {
  retiredProblem,
  type SettingsRejection,
  sameSettings,
  settingsProblem,
  tidySettings,
} from './settings.ts';

export type { ChannelCommand } from './commands.ts';

export type ChannelRejection =
  | 'channel.already-created'
  | 'channel.unknown'
  | 'channel.balance-invalid'
  | 'channel.key-needed'
  | SettingsRejection;

export type ChannelState =
  | Readonly<{ status: 'absent' }>
  | Readonly<{
      status: 'enabled' | 'disabled' | 'auto-disabled' | 'deleted';
      channelId: ChannelId;
      sealedKey: Sealed;
      settings: ChannelSettings;
    }>;
type Existing = Exclude<ChannelState, { status: 'absent' }>;
type Answer = Decision<ChannelEvent, ChannelRejection>;

const create = ({ data }: CreateChannel, state: ChannelState): Answer => {
  if (state.status !== 'absent') return reject('channel.already-created');
  const settings = tidySettings(data.settings);
  const problem = retiredProblem(settings) ?? settingsProblem(settings);
  if (problem !== null) return reject(problem.code, problem.details);
  const { channelId, sealedKey, enabled, keyFrom } = data;
  if (keyFrom !== undefined && sendsKeyElsewhere(keyFrom, settings)) {
    return reject('channel.key-needed');
  }
  return accept({
    type: 'ChannelCreated',
    data: { channelId, sealedKey, settings, status: enabled ? 1 : 2 },
  });
};

/** A channel may keep a retired type, not take one. */
const changeProblem = (settings: ChannelSettings, previous: ChannelSettings) =>
  (settings.type === previous.type ? null : retiredProblem(settings)) ?? settingsProblem(settings);

const change = ({ data }: ChangeChannel, state: Existing): Answer => {
  const settings = tidySettings(data.settings);
  const problem = changeProblem(settings, state.settings);
  if (problem !== null) return reject(problem.code, problem.details);
  const { sealedKey } = data;
  const reason = reasonField(data.reason);
  const { channelId, settings: previous } = state;
  if (sameSettings(settings, previous)) {
    if (sealedKey === undefined) return accept();
    return accept({ type: 'ChannelKeyReplaced', data: { channelId, sealedKey, ...reason } });
  }
  if (sealedKey === undefined && sendsKeyElsewhere(previous, settings)) {
    return reject('channel.key-needed');
  }
  const key = sealedKey === undefined ? {} : { sealedKey };
  return accept({
    type: 'ChannelChanged',
    data: { channelId, settings, previous, ...key, ...reason },
  });
};

/** Only a working channel, and only where the operator allows it; a second failure adds nothing. */
const autoDisable = ({ data: { reason } }: AutoDisableChannel, state: Existing): Answer =>
  state.status === 'enabled' && state.settings.autoBan
    ? accept({ type: 'ChannelAutoDisabled', data: { channelId: state.channelId, reason } })
    : accept();

const tag = ({ data }: TagChannel, state: Existing): Answer => {
  const next = data.tag.trim();
  const { channelId } = state;
  const previous = state.settings.tag;
  if (next === previous) return accept();
  return accept({ type: 'ChannelTagged', data: { channelId, tag: next, previous } });
};

const decideExisting = (
  command: Exclude<ChannelCommand, CreateChannel>,
  state: Existing,
): Answer => {
  const { channelId } = state;
  switch (command.type) {
    case 'ChangeChannel':
      return change(command, state);
    case 'EnableChannel':
      return state.status === 'enabled'
        ? accept()
        : accept({ type: 'ChannelEnabled', data: { channelId } });
    case 'DisableChannel':
      return state.status === 'disabled'
        ? accept()
        : accept({ type: 'ChannelDisabled', data: { channelId } });
    case 'AutoDisableChannel':
      return autoDisable(command, state);
    case 'AutoEnableChannel':
      return state.status === 'auto-disabled'
        ? accept({ type: 'ChannelAutoEnabled', data: { channelId } })
        : accept();
    case 'RecordTest':
      return accept({ type: 'ChannelTested', data: command.data });
    case 'RecordBalance':
      return isDecimalText(command.data.balance)
        ? accept({ type: 'ChannelBalanceRead', data: command.data })
        : reject('channel.balance-invalid');
    case 'TagChannel':
      return tag(command, state);
    case 'DeleteChannel':
      return accept({ type: 'ChannelDeleted', data: { channelId } });
  }
};

const decide = (command: ChannelCommand, state: ChannelState): Answer => {
  if (command.type === 'CreateChannel') return create(command, state);
  if (state.status === 'absent' || state.status === 'deleted') return reject('channel.unknown');
  return decideExisting(command, state);
};

const created = { 1: 'enabled', 2: 'disabled', 3: 'auto-disabled' } as const;

const evolve = (state: ChannelState, event: ChannelEvent): ChannelState => {
  if (event.type === 'ChannelCreated') {
    return { ...event.data, status: created[event.data.status] };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'ChannelChanged': {
      const { settings, sealedKey = state.sealedKey } = event.data;
      return { ...state, settings, sealedKey };
    }
    case 'ChannelKeyReplaced':
      return { ...state, sealedKey: event.data.sealedKey };
    case 'ChannelEnabled':
    case 'ChannelAutoEnabled':
      return { ...state, status: 'enabled' };
    case 'ChannelDisabled':
      return { ...state, status: 'disabled' };
    case 'ChannelAutoDisabled':
      return { ...state, status: 'auto-disabled' };
    case 'ChannelTested':
    case 'ChannelBalanceRead':
      return state;
    case 'ChannelTagged':
      return { ...state, settings: { ...state.settings, tag: event.data.tag } };
    case 'ChannelDeleted':
      return { ...state, status: 'deleted' };
  }
};

export const channelDecider: Decider<ChannelCommand, ChannelEvent, ChannelState, ChannelRejection> =
  { initialState: { status: 'absent' }, decide, evolve };
