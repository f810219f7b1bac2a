import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Backend, readProxyRules } from './proxy-rules.ts';

export type ClusterProxy = Readonly<{ url: string; close: () => Promise<void> }>;

type Ports = Readonly<Record<Backend, readonly number[]>>;

const bodyOf = async (req: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

const wasNotReached = (error: Error & { code?: string }): boolean => error.code === 'ECONNREFUSED';

/**
 * One origin over all processes, by the rules of the nginx file: the turns of each kind, and the
 * next one where no process listens. What has reached a process is not sent again.
 */
export const startClusterProxy = async (ports: Ports): Promise<ClusterProxy> => {
  const backendOf = readProxyRules();
  const agent = new Agent({ keepAlive: true });
  const turns = new Map<Backend, number>();

  const order = (backend: Backend): readonly number[] => {
    const all = ports[backend];
    const turn = (turns.get(backend) ?? 0) % Math.max(1, all.length);
    turns.set(backend, turn + 1);
    return [...all.slice(turn), ...all.slice(0, turn)];
  };

  const handOn = (options: RequestOptions, body: Buffer, res: ServerResponse): Promise<boolean> =>
    new Promise((resolve) => {
      const upstream = request({ ...options, host: '127.0.0.1', agent });
      upstream.on('response', (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => res.destroy());
        answer.pipe(res);
        resolve(true);
      });
      upstream.on('error', (error) => {
        if (wasNotReached(error)) return resolve(false);
        if (res.headersSent) res.destroy();
        else res.writeHead(502).end();
        resolve(true);
      });
      res.on('close', () => upstream.destroy());
      upstream.end(body);
    });

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = req;
    const body = await bodyOf(req);
    const peer = req.socket.remoteAddress ?? '127.0.0.1';
    const { connection: _hop, ...headers } = req.headers;
    for (const port of order(backendOf(method, url.split('?')[0] ?? '/'))) {
      const options = { method, port, path: url, headers: { ...headers, 'x-forwarded-for': peer } };
      if (await handOn(options, body, res)) return;
    }
    res.writeHead(503).end();
  };

  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
};
