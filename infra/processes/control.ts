/*
 * The control process of the all-in-one run: write side, read side and the console behind one
 * loopback port. It holds the in-process bus, and serves it to the edge over the process channel.
 */
import { channelOfProcess } from '../bus/ipc/channel.ts';
import { serveBus } from '../bus/ipc/serve-bus.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import type { Bus } from '../ports/bus.ts';
import { enginesFromParent } from './control-child.ts';
import { layFoundation } from './foundation.ts';
import { keptSecret, openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { readSide } from './read-side.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { createWebApp, listen } from './web-app.ts';
import { writeSide } from './write-side.ts';

const foundation = layFoundation('control');
const { config, logger } = foundation;
const { eventStoreUrl, databaseUrl } = await enginesFromParent();

const openBus = async (): Promise<Bus> => {
  if (config.natsUrl !== null) {
    const { createNatsBus } = await import('../bus/nats/create-nats-bus.ts');
    return createNatsBus({ url: config.natsUrl, logger, name: 'control' });
  }
  const bus = createMemoryBus({ logger });
  serveBus(bus, channelOfProcess(process), logger);
  return bus;
};

const { eventStore, part: log } = openLog(foundation, eventStoreUrl);
const secret = await keptSecret(foundation);
const keys = await openKeys(foundation, { eventStore, secret, kind: null });
const { keyring } = keys;
const bus = await openBus();
const parts = [
  ...writeSide(foundation, { eventStore, bus, keyring }),
  readSide(foundation, { eventStore, bus, keyring }, databaseUrl),
  log,
];
const app = await createWebApp(foundation, parts, { console: true });
const port = await listen(app, { host: '127.0.0.1', port: 0 });
await Promise.all(parts.map(({ start }) => start()));
process.send?.({ kind: 'control-ready', port });
logger.info({ port }, 'control plane is ready');

shutDownOnSignal(logger, [
  { name: 'web', run: () => app.close() },
  ...parts.map(({ name, stop }) => ({ name, run: stop })),
  { name: 'bus', run: () => bus.close() },
  { name: 'event-store', run: () => eventStore.close() },
]);
