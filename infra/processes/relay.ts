/* `npm run start:relay`: one relay of any number, over NATS. */
import { createBodyBudget } from '../web/body-budget.ts';
import { createHttpServer } from '../web/http-server.ts';
import { openDataFolder } from './data-folder.ts';
import { connectBus, requireEngines } from './distributed.ts';
import { createHealth } from './health.ts';
import { listenForClients } from './listen.ts';
import { openMetrics } from './metrics-server.ts';
import { assembleRelay } from './relay-module.ts';
import { createRuntime } from './runtime.ts';
import { serverLimits } from './server-limits.ts';
import { shutDownOnSignal } from './shutdown.ts';
import { stopListening } from './stop-listening.ts';
import { openTelemetry } from './telemetry.ts';

const runtime = createRuntime('relay');
const { config, logger } = runtime;
openDataFolder(config.dataDir, logger);
const { natsUrl, secret } = await requireEngines(runtime, ['natsUrl']);
const bus = await connectBus(runtime, natsUrl, 'relay');
const bodies = createBodyBudget(config.limits.bodyMemoryMb * 1024 * 1024);
const telemetry = await openTelemetry(runtime, 'relay');
const { relay, start, stop, ready } = await assembleRelay(runtime, {
  bus,
  bodies,
  secret,
  telemetry,
});
const health = createHealth(() => ready().ok);
const server = createHttpServer({
  limits: serverLimits(runtime),
  upgrade: relay.upgrade,
  handle: (req, res) => {
    if (relay.handle(req, res) || health(req, res)) return;
    res.writeHead(404, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ error: { message: 'no such path', type: 'invalid_request_error' } }));
  },
});
const metrics = await openMetrics(runtime, { modules: () => [{ name: 'relay', ...ready() }] });
await start();
await listenForClients(server, { host: config.host, port: config.relayPort });
logger.info({ port: config.relayPort }, 'relay is open');

shutDownOnSignal(logger, [
  { name: 'listener', run: () => stopListening(server) },
  { name: 'relay', run: stop },
  { name: 'metrics', run: metrics.close },
  { name: 'bus', run: bus.close },
  { name: 'telemetry', run: async () => telemetry?.stop() },
]);
