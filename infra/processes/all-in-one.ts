/*
 * `npm start`: everything on one machine. This process is the edge: it listens, answers the relay's
 * paths itself, hands everything else to the control process, and keeps the others alive:
 *
 *   edge (this one) ─┬─ control: command-api, keeper, projections, console
 *                    ├─ event-store node, unless EVENTSTORE_URL is set
 *                    └─ PostgreSQL, unless both URLs are set
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { channelOfProcess } from '../bus/ipc/channel.ts';
import { connectBus } from '../bus/ipc/connect-bus.ts';
import { createNatsBus } from '../bus/nats/create-nats-bus.ts';
import { startEngines } from './engines.ts';
import { layFoundation } from './foundation.ts';
import { createHealth } from './health.ts';
import { createProxy } from './proxy.ts';
import { assembleRelay } from './relay-parts.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { supervise } from './supervise.ts';

const foundation = layFoundation('edge');
const { config, logger } = foundation;
const dataDir = resolve(config.dataDir);
mkdirSync(dataDir, { recursive: true });

const engines = await startEngines(foundation, dataDir);
writeFileSync(
  resolve(dataDir, 'run.json'),
  JSON.stringify({ pid: process.pid, ...engines.urls }, null, 2),
  { mode: 0o600 },
);

const channel = config.natsUrl === null ? connectBus({ logger }) : null;
const bus = channel ?? (await createNatsBus({ url: config.natsUrl ?? '', logger, name: 'edge' }));

let controlPort: number | null = null;
const control = supervise({
  name: 'control',
  entry: './control.ts',
  env: () => ({
    ...process.env,
    DATA_DIR: dataDir,
    EVENTSTORE_URL: engines.urls.eventStoreUrl,
    DATABASE_URL: engines.urls.databaseUrl,
    TRUSTED_PROXIES: [...config.trustedProxies, '127.0.0.1', '::1'].join(','),
  }),
  logger,
  onLife: (child) => {
    channel?.attach(channelOfProcess(child));
    child.on('message', (message: unknown) => {
      const { kind, port } = (message ?? {}) as { kind?: string; port?: number };
      if (kind === 'control-ready' && port !== undefined) controlPort = port;
    });
    child.once('exit', () => {
      controlPort = null;
    });
  },
});

const { relay, start, stop, ready } = assembleRelay(foundation, bus);
const proxy = createProxy(() => (controlPort === null ? null : { port: controlPort }));
const health = createHealth(foundation, () => [
  { name: 'relay', ...ready() },
  { name: 'control', ok: controlPort !== null, detail: controlPort === null ? 'starting' : 'up' },
]);
const server = createServer((req, res) => {
  if (relay.handle(req, res) || health(req, res)) return;
  proxy(req, res);
});
server.keepAliveTimeout = 75_000;
server.requestTimeout = 0;

await new Promise<void>((done, fail) => {
  server.once('error', fail);
  server.listen({ port: config.port, host: config.host }, () => done());
}).catch((error: Error) => {
  process.stderr.write(`cannot listen on ${config.host}:${config.port}: ${error.message}\n`);
  process.exit(1);
});
await start();
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : config.port;
logger.info({ url: `http://localhost:${port}`, ready: ready() }, 'Tollgate is open');

shutDownOnSignal(logger, [
  { name: 'listener', run: async () => void server.close() },
  { name: 'relay', run: stop },
  { name: 'control', run: () => control.stop() },
  { name: 'bus', run: () => bus.close() },
  { name: 'engines', run: engines.stop },
]);
