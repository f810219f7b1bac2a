import type { ChannelFigures, ChannelFiguresRequest } from '../../domain/channel/messages.ts';
import type { ChannelId } from '../../domain/shared/ids.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import { isBusUnavailable } from '../shared/errors.ts';

type Deps = Readonly<{
  bus: Bus;
}>;

const timeoutMs = 1_000;

/** null: no read side answers, and the reply does without the counters. */
export const askForFigures = async (
  { bus }: Deps,
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
