/*
 * The control process of the all-in-one run: write side, read side and the console behind one
 * unix socket that only this user may enter. It holds the in-process bus, and serves it to the edge over the process channel.
 */
import { channelOfProcess } from '../bus/ipc/channel.ts';
import { serveBus } from '../bus/ipc/serve-bus.ts';
import { createMemoryBus } from '../bus/memory/create-memory-bus.ts';
import type { Bus } from '../ports/bus.ts';
import { siteSessionVerifier } from '../vault/site-session-verifier.ts';
import { unixSocketPeer } from '../web/client-address.ts';
import { enginesFromParent, socketsFromParent } from './control-child.ts';
import type { OpenLog } from './log-module.ts';
import { openMetricsAt } from './metrics-server.ts';
import { keptSecret, openKeys } from './open-keys.ts';
import { openOwnLog } from './open-own-log.ts';
import { readSide } from './read-side.ts';
import { createRuntime } from './runtime.ts';
import { socketLimits } from './server-limits.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { watchSiteAddress } from './site-address.ts';
import { openTelemetry } from './telemetry.ts';
import { createWebApp, statesOf } from './web-app.ts';
import { writeSide } from './write-side.ts';

const laid = createRuntime('control');
// The edge has worked out who calls, and only the edge reaches the socket.
const config = { ...laid.config, trustedProxies: [unixSocketPeer] };
const runtime = { ...laid, config };
const { logger } = runtime;
const engines = await enginesFromParent();

const openBus = async (): Promise<Bus> => {
  if (config.natsUrl !== null) {
    const { connectBus } = await import('./distributed.ts');
    return connectBus(runtime, config.natsUrl, 'control');
  }
  const bus = createMemoryBus({ logger });
  serveBus(bus, channelOfProcess(process), logger);
  return bus;
};

/** The embedded log is opened here; the client of a store elsewhere is loaded only when there is one. */
const openSiteLog = async (): Promise<OpenLog> => {
  const { eventStoreUrl, logDatabaseUrl } = engines;
  if (logDatabaseUrl !== null) return openOwnLog(runtime, { eventStoreUrl, logDatabaseUrl });
  const { openLog } = await import('./open-log.ts');
  return openLog(runtime, eventStoreUrl);
};

const { eventStore, module: log } = await openSiteLog();
const secret = await keptSecret(runtime);
const keys = await openKeys(runtime, { eventStore, secret, kind: null });
const { keyring } = keys;
const bus = await openBus();
const telemetry = await openTelemetry(runtime, 'control');
const parts = { eventStore, bus, keyring, telemetry };
const modules = [...writeSide(runtime, parts), readSide(runtime, parts, engines.databaseUrl), log];
const site = watchSiteAddress(bus);
const limits = socketLimits(runtime);
const app = await createWebApp(runtime, modules, {
  console: true,
  limits,
  isHttps: site.isHttps,
  sessionVerifier: siteSessionVerifier(() => keyring),
});
const sockets = socketsFromParent();
await app.listen({ path: sockets.web });
await openMetricsAt(runtime, { socketPath: sockets.metrics, modules: () => statesOf(modules) });
await site.start();
await Promise.all(modules.map(({ start }) => start()));
process.send?.({ kind: 'control-ready' });
logger.info({ socket: sockets.web }, 'control plane is ready');

shutDownOnSignal(logger, [
  { name: 'web', run: () => app.close() },
  ...modules.map(({ name, stop }) => ({ name, run: stop })),
  { name: 'site address', run: site.stop },
  { name: 'bus', run: () => bus.close() },
  { name: 'event-store', run: () => eventStore.close() },
  { name: 'telemetry', run: async () => telemetry?.stop() },
]);
