import type { BusConnection } from '../bus/ipc/connect-bus.ts';
import { createBodyBudget } from '../web/body-budget.ts';
import { createBodyShares } from '../web/body-shares.ts';
import { createClientAddress, createForwardedProtocol } from '../web/client-address.ts';
import { createHttpServer } from '../web/http-server.ts';
import { createHealth } from './health.ts';
import { listenForClients } from './listen.ts';
import { openMetrics } from './metrics-server.ts';
import { metricsOverSocket } from './metrics-source.ts';
import { createProxy } from './proxy.ts';
import { assembleRelay } from './relay-module.ts';
import type { Runtime } from './runtime.ts';
import { consoleBodyBytes, consoleBodyMs, serverLimits } from './server-limits.ts';
import type { ControlSockets } from './socket-directory.ts';
import { openTelemetry } from './telemetry.ts';

type Plan = Readonly<{
  secret: string;
  /** The control process's bus; null when NATS carries it. */
  busConnection: BusConnection | null;
  /** null while there is no control process. */
  control: () => ControlSockets | null;
}>;

export type Edge = Readonly<{
  /** Where programs of this machine reach the site. */
  url: string;
  metricsUrl: string;
  close: () => Promise<void>;
  closeBus: () => Promise<void>;
}>;

/** Listens on the site's port: relay paths are answered here, the rest is handed to control. */
export const openEdge = async (runtime: Runtime, plan: Plan): Promise<Edge> => {
  const { config, logger } = runtime;
  const bus = plan.busConnection ?? (await connectNats(runtime));
  const bodies = createBodyBudget(config.limits.bodyMemoryMb * 1024 * 1024);
  const { secret } = plan;
  const telemetry = await openTelemetry(runtime, 'edge');
  const { relay, start, stop, ready } = await assembleRelay(runtime, {
    bus,
    bodies,
    secret,
    telemetry,
  });
  const proxy = createProxy({
    socketPath: () => plan.control()?.web ?? null,
    clientAddress: createClientAddress(config.trustedProxies),
    forwardedProtocol: createForwardedProtocol(config.trustedProxies),
    // Not the relay's: callers of the console need not be signed in to have a body read.
    bodies: createBodyShares(consoleBodyBytes(config)),
    bodyTimeoutMs: consoleBodyMs(config),
  });
  const health = createHealth(() => ready().ok && plan.control() !== null);
  const server = createHttpServer({
    limits: serverLimits(runtime),
    upgrade: relay.upgrade,
    handle: (req, res) => {
      if (!relay.handle(req, res) && !health(req, res)) proxy(req, res);
    },
  });
  const port = await listenForClients(server, config);
  const metrics = await openMetrics(runtime, {
    modules: () => [{ name: 'relay', ...ready() }],
    sources: [metricsOverSocket('control', () => plan.control()?.metrics ?? null)],
  });
  await start();
  logger.info({ url: `http://localhost:${port}` }, 'Tollgate is open');
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  return {
    url: `http://${host}:${port}`,
    metricsUrl: metrics.url,
    close: async () => {
      server.close();
      await stop();
      server.closeAllConnections();
      await metrics.close();
      await telemetry?.stop();
    },
    closeBus: () => bus.close(),
  };
};

const connectNats = async (runtime: Runtime) => {
  const { connectBus } = await import('./distributed.ts');
  return connectBus(runtime, runtime.config.natsUrl ?? '', 'edge');
};
