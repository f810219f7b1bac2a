import type { ChannelCooling } from '../../domain/relay/messages.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';

/** Channels in cool-down. In memory: a process that starts receives the next ones. */
export interface CoolingChannels {
  /** Unix seconds, the latest that a relay has reported; 0: none passes it over. */
  until(channelId: number): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

type Deps = Readonly<{ bus: Pick<Bus, 'subscribe'>; clock: Clock }>;

export const createCoolingChannels = ({ bus, clock }: Deps): CoolingChannels => {
  const ends = new Map<number, number>();
  let unsubscribe: Stop | null = null;
  const until = (channelId: number): number => {
    const end = ends.get(channelId) ?? 0;
    return end * 1_000 > clock().getTime() ? end : 0;
  };
  return {
    until,
    start: async () => {
      unsubscribe ??= await bus.subscribe<ChannelCooling>('channel.cooling', (reported) => {
        const end = Math.ceil(Date.parse(reported.until) / 1_000);
        ends.set(reported.channelId, Math.max(ends.get(reported.channelId) ?? 0, end));
        for (const known of ends.keys()) if (until(known) === 0) ends.delete(known);
      });
    },
    stop: async () => {
      await unsubscribe?.();
      unsubscribe = null;
    },
  };
};
