import type { ChannelFigures, ChannelFiguresRequest } from '../../domain/channel/messages.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import { isBusUnavailable } from '../errors.ts';
import type { Services } from '../services.ts';

const timeoutMs = 1_000;

/** null: no read side answers, and the reply does without the counters. */
export const askForFigures = async (
  { bus }: Pick<Services, 'bus'>,
  channelId: ChannelId,
): Promise<ChannelFigures | null> => {
  try {
    return await bus.request<ChannelFiguresRequest, ChannelFigures | null>(
      'channel-list.figures',
      { channelId },
      { timeoutMs },
    );
  } catch (error) {
    if (isBusUnavailable(error)) return null;
    throw error;
  }
};
