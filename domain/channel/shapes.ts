import { flag, list, number, object, optional, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes, withReason } from '../shared/shapes.ts';
import type {
  ChannelAutoDisabled,
  ChannelBalanceRead,
  ChannelChanged,
  ChannelCreated,
  ChannelEvent,
  ChannelKeyReplaced,
  ChannelSettings,
  ChannelTagged,
  ChannelTested,
} from './events.ts';

const channelId = whole;
const ofChannel = object({ channelId });
const settings = object<ChannelSettings>({
  type: whole,
  name: text,
  models: list(text),
  groups: list(text),
  baseUrl: text,
  other: text,
  organization: text,
  testModel: text,
  tag: text,
  modelMapping: text,
  statusCodeMapping: text,
  setting: text,
  paramOverride: text,
  priority: whole,
  weight: whole,
  autoBan: flag,
  maxInputTokens: optional(whole),
  costRatio: optional(text),
});

export const channelShapes: Shapes<ChannelEvent> = {
  ChannelCreated: dataOf<ChannelCreated>({ channelId, sealedKey: text, settings, status: whole }),
  ChannelChanged: dataOf<ChannelChanged>({
    channelId,
    settings,
    previous: settings,
    sealedKey: optional(text),
    ...withReason,
  }),
  ChannelKeyReplaced: dataOf<ChannelKeyReplaced>({ channelId, sealedKey: text, ...withReason }),
  ChannelEnabled: ofChannel,
  ChannelDisabled: ofChannel,
  ChannelAutoDisabled: dataOf<ChannelAutoDisabled>({ channelId, reason: text }),
  ChannelAutoEnabled: ofChannel,
  ChannelTested: dataOf<ChannelTested>({
    channelId,
    model: text,
    success: flag,
    responseTimeMs: number,
    message: text,
  }),
  ChannelBalanceRead: dataOf<ChannelBalanceRead>({ channelId, balance: text }),
  ChannelTagged: dataOf<ChannelTagged>({ channelId, tag: text, previous: text }),
  ChannelDeleted: ofChannel,
};
