import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from '../infra/ports/metrics.ts';
import { acceptUpgrades } from './accept-upgrades.ts';
import type { Relay } from './create-relay.ts';

const sendText = (res: ServerResponse, status: number, text: string): void => {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  res.end(text);
};

/** The server of a relay that runs as a process of its own: the API and the probes beside it. */
export const createRelayServer = (relay: Relay, metrics: Metrics): Server => {
  const server = createServer((req, res) => {
    if (relay.handle(req, res)) return;
    switch ((req.url ?? '/').split('?', 1)[0]) {
      case '/healthz':
        sendText(res, 200, 'ok');
        break;
      case '/readyz':
        sendText(res, relay.ready() ? 200 : 503, relay.ready() ? 'ready' : 'not ready');
        break;
      case '/metrics':
        metrics.text().then(
          (text) => sendText(res, 200, text),
          () => sendText(res, 500, 'metrics are not available'),
        );
        break;
      default:
        sendText(res, 404, 'not found');
    }
  });
  acceptUpgrades(server, relay.upgrade);
  tuneRelayServer(server);
  return server;
};

/**
 * Long streams and slow uploads are the ordinary case: no limit on a whole request, and idle
 * connections live longer than the pools of usual reverse proxies keep them.
 */
export const tuneRelayServer = (server: Server): void => {
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  server.keepAliveTimeout = 75_000;
};
