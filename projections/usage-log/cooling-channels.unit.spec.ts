import { expect, test } from 'vitest';
import type { ChannelCooling } from '../../domain/relay/messages.ts';
import { createMemoryBus } from '../../infra/bus/memory/create-memory-bus.ts';
import { silentLogger } from '../../tests/support/silent-logger.ts';
import { createCoolingChannels } from './cooling-channels.ts';

const start = Date.UTC(2026, 2, 4, 12);
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();

test('a channel cools down until the latest time that a relay reported, and no longer', async () => {
  let now = start;
  const bus = createMemoryBus({ logger: silentLogger });
  const cooling = createCoolingChannels({ bus, clock: () => new Date(now) });
  const tell = async (channelId: number, seconds: number) => {
    bus.publish<ChannelCooling>('channel.cooling', { channelId, until: at(seconds) });
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await cooling.start();
  await tell(7, 60);
  await tell(7, 30);
  expect([7, 8].map(cooling.until)).toEqual([start / 1_000 + 60, 0]);
  now = start + 60_000;
  expect(cooling.until(7)).toBe(0);
  await cooling.stop();
  await tell(7, 300);
  expect(cooling.until(7)).toBe(0);
  await bus.close();
});
