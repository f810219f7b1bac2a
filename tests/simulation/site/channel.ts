import type { UpstreamChannel } from '../../../relay/feeds/upstream-channel.ts';
import { channelId, channelSettings } from './founding.ts';

/** The one channel, as calls meet it. */
export const channel: UpstreamChannel = {
  channelId,
  type: channelSettings.type,
  key: 'key of the channel',
  settings: channelSettings,
  models: new Set(channelSettings.models),
  groups: new Set(channelSettings.groups),
  modelMapping: null,
  statusMapping: new Map(),
  paramOverride: null,
  headerOverrides: [],
  proxy: '',
  enabled: true,
};
