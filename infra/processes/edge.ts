import { createServer } from 'node:http';
import { acceptUpgrades } from '../../relay/accept-upgrades.ts';
import type { BusConnection } from '../bus/ipc/connect-bus.ts';
import type { Foundation } from './foundation.ts';
import { createHealth } from './health.ts';
import { createProxy } from './proxy.ts';
import { assembleRelay } from './relay-parts.ts';

type Plan = Readonly<{
  secret: string;
  /** The control process's bus; null when NATS carries it. */
  line: BusConnection | null;
  controlPort: () => number | null;
  /** What the control process says of the log. */
  logState: () => unknown;
}>;

export type Edge = Readonly<{
  /** Where programs of this machine reach the site. */
  url: string;
  close: () => Promise<void>;
  closeBus: () => Promise<void>;
}>;

/** Listens on the site's port: relay paths are answered here, the rest is handed to control. */
export const openEdge = async (foundation: Foundation, plan: Plan): Promise<Edge> => {
  const { config, logger } = foundation;
  const bus = plan.line ?? (await connectNats(foundation));
  const { relay, start, stop, ready } = await assembleRelay(foundation, bus, plan.secret);
  const proxy = createProxy(plan.controlPort);
  const health = createHealth(foundation, () => [
    { name: 'relay', ...ready() },
    { name: 'control', ok: plan.controlPort() !== null, detail: { log: plan.logState() } },
  ]);
  const server = createServer((req, res) => {
    if (relay.handle(req, res) || health(req, res)) return;
    proxy(req, res);
  });
  acceptUpgrades(server, relay.upgrade);
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 0;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ port: config.port, host: config.host }, () => done());
  }).catch((error: Error) => {
    process.stderr.write(`cannot listen on ${config.host}:${config.port}: ${error.message}\n`);
    process.exit(1);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  await start();
  logger.info({ url: `http://localhost:${port}` }, 'Tollgate is open');
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      server.close();
      await stop();
      server.closeAllConnections();
    },
    closeBus: () => bus.close(),
  };
};

const connectNats = async ({ config, logger }: Foundation) => {
  const { createNatsBus } = await import('../bus/nats/create-nats-bus.ts');
  return createNatsBus({ url: config.natsUrl ?? '', logger, name: 'edge' });
};
