import type { ChannelId } from '../shared/ids.ts';

export const channelStreamId = (id: ChannelId): string => `channel-${id}`;
