/*
 * The control process of the all-in-one run: write side, read side and the console behind one
 * loopback port. It holds the in-process bus, and serves it to the edge over the process channel.
 */
import { channelOfProcess } from '../bus/ipc/channel.ts';
import { serveBus } from '../bus/ipc/serve-bus.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import { createNatsBus } from '../bus/nats/create-nats-bus.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { readSide, writeSide } from './control-parts.ts';
import { layFoundation } from './foundation.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { createWebApp, listen } from './web-app.ts';

const foundation = layFoundation('control');
const { config, logger } = foundation;
const { eventStoreUrl, databaseUrl, natsUrl } = config;
if (eventStoreUrl === null || databaseUrl === null) {
  throw new Error('the control process is started by all-in-one.ts, which hands its engines in');
}

const eventStore = createEventStore({ url: eventStoreUrl, logger });
const bus =
  natsUrl === null
    ? createMemoryBus({ logger })
    : await createNatsBus({ url: natsUrl, logger, name: 'control' });
if (natsUrl === null) serveBus(bus, channelOfProcess(process), logger);

const parts = [
  ...writeSide(foundation, { eventStore, bus }),
  readSide(foundation, { eventStore, bus }, databaseUrl),
];
const app = await createWebApp(foundation, parts, { console: true });
const port = await listen(app, { host: '127.0.0.1', port: 0 });
for (const { start } of parts) await start();
process.send?.({ kind: 'control-ready', port });
logger.info({ port }, 'control plane is ready');

shutDownOnSignal(logger, [
  { name: 'web', run: () => app.close() },
  ...parts.map(({ name, stop }) => ({ name, run: stop })),
  { name: 'bus', run: () => bus.close() },
  { name: 'event-store', run: () => eventStore.close() },
]);
