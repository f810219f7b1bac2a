import { type ChannelState, channelDecider } from '../../domain/channel/decider.ts';
import { channelStreamId } from '../../domain/channel/stream.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Ids } from '../identity/ids.ts';

type Deps = Readonly<{
  commands: CommandHandler;
  ids: Ids;
}>;

export type KnownChannel = Exclude<ChannelState, { status: 'absent' }>;

/** Streams read side by side. */
const parallel = 32;

type Directory = Readonly<{
  find: (channelId: number) => Promise<KnownChannel | null>;
  /** Every channel that is not deleted, by id. */
  all: () => Promise<readonly KnownChannel[]>;
}>;

/**
 * Channels as in the log. Commands over many channels walk all assigned ids, since the write side
 * queries no read model; channels are few and stay in memory after the first walk.
 */
export const createChannelDirectory = ({ commands, ids }: Deps): Directory => {
  const find = async (channelId: number): Promise<KnownChannel | null> => {
    const { state } = await commands.load(channelDecider, channelStreamId(channelId));
    return state.status === 'absent' || state.status === 'deleted' ? null : state;
  };
  return {
    find,
    async all() {
      const highest = await ids.highest('channel');
      const found: KnownChannel[] = [];
      for (let first = 1; first <= highest; first += parallel) {
        const length = Math.min(parallel, highest - first + 1);
        const some = await Promise.all(Array.from({ length }, (_, i) => find(first + i)));
        for (const channel of some) if (channel) found.push(channel);
      }
      return found;
    },
  };
};
