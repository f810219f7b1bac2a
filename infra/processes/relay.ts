/* `npm run start:relay`: one relay of any number, over NATS. */
import { createServer } from 'node:http';
import { acceptUpgrades } from '../../relay/accept-upgrades.ts';
import { openDataFolder } from './data-folder.ts';
import { connectBus, requireEngines } from './distributed.ts';
import { layFoundation } from './foundation.ts';
import { createHealth } from './health.ts';
import { assembleRelay } from './relay-parts.ts';
import { shutDownOnSignal } from './shutdown.ts';

const foundation = layFoundation('relay');
const { config, logger } = foundation;
openDataFolder(config.dataDir, logger);
const { natsUrl, secret } = await requireEngines(foundation, ['natsUrl']);
const bus = await connectBus(foundation, natsUrl, 'relay');
const { relay, start, stop, ready } = await assembleRelay(foundation, bus, secret);
const health = createHealth(foundation, () => [{ name: 'relay', ...ready() }]);
const server = createServer((req, res) => {
  if (relay.handle(req, res) || health(req, res)) return;
  res.writeHead(404, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ error: { message: 'no such path', type: 'invalid_request_error' } }));
});
acceptUpgrades(server, relay.upgrade);
server.requestTimeout = 0;
server.keepAliveTimeout = 75_000;
await start();
await new Promise<void>((done) => server.listen(config.relayPort, config.host, () => done()));
logger.info({ port: config.relayPort }, 'relay is open');

shutDownOnSignal(logger, [
  { name: 'listener', run: async () => void server.close() },
  { name: 'relay', run: stop },
  { name: 'bus', run: bus.close },
]);
