import type { AutoDisableChannel } from '../../domain/channel/commands.ts';
import type { ChannelFailing } from '../../domain/relay/messages.ts';
import { uuidFrom } from '../shared/uuid.ts';

/** When a relay sees that a channel is beyond use, give the channel up. Several may see it at once. */
export const disableChannelOnFailing = ({
  channelId,
  reason,
  occurredAt,
}: ChannelFailing): AutoDisableChannel => {
  const commandId = uuidFrom(`channel.failing/${channelId}/${occurredAt}`);
  return {
    type: 'AutoDisableChannel',
    data: { channelId, reason: reason.slice(0, 1_000) },
    metadata: {
      actor: { kind: 'system', id: 'channel-health' },
      correlationId: commandId,
      causationId: commandId,
      commandId,
      occurredAt,
    },
  };
};
