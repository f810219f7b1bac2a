import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mergeMetrics } from '../metrics/merge-metrics.ts';
import type { MetricValues } from '../ports/metrics.ts';
import { areReady, type ModuleState, sendJson } from './health.ts';
import type { Runtime } from './runtime.ts';

/** Another process of the tree, whose figures are shown with those of this one. */
export type MetricsSource = Readonly<{
  metrics: () => Promise<MetricValues>;
  modules: () => Promise<readonly ModuleState[]>;
}>;

type Plan = Readonly<{
  modules: () => readonly ModuleState[];
  sources?: readonly MetricsSource[];
}>;

/** The registered default of OpenTelemetry's Prometheus exporter. */
const defaultPort = 9_464;

const all = async <T>(own: T, others: readonly Promise<T>[]): Promise<readonly T[]> => {
  const answers = await Promise.allSettled(others);
  return [
    own,
    ...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
  ];
};

const createMetricsServer = ({ metrics }: Runtime, { modules, sources = [] }: Plan): Server => {
  const readiness = metrics.gauge({
    name: 'tollgate_part_ready',
    help: 'Whether a part of this process can serve: the log, the keeper, the relay …',
    labels: ['part'],
  });
  const values = (): Promise<MetricValues> => {
    for (const { name, ok } of modules()) readiness.set(ok ? 1 : 0, { part: name });
    return metrics.values();
  };
  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    switch (req.url) {
      case '/metrics': {
        const figures = await all(
          await values(),
          sources.map((source) => source.metrics()),
        );
        res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
        res.end(await mergeMetrics(figures));
        return;
      }
      // For the process that shows the figures of a whole tree.
      case '/metrics.json':
        sendJson(res, 200, await values());
        return;
      case '/readyz': {
        const states = await all(
          modules(),
          sources.map((source) => source.modules()),
        );
        const ok = areReady(states.flat());
        sendJson(res, ok ? 200 : 503, { ok, node: process.versions.node, parts: states.flat() });
        return;
      }
      case '/healthz':
        sendJson(res, 200, { ok: true });
        return;
      default:
        sendJson(res, 404, { ok: false });
    }
  };
  return createServer({ requestTimeout: 10_000 }, (req, res) => {
    serve(req, res).catch(() => {
      if (res.headersSent) res.destroy();
      else sendJson(res, 500, { ok: false });
    });
  });
};

const listening = (server: Server, at: object): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(at, () => {
      server.off('error', fail);
      done();
    });
  });

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

const listenOnPort = async (server: Server, { config, logger }: Runtime): Promise<void> => {
  const { metricsHost: host, metricsPort } = config;
  try {
    await listening(server, { host, port: metricsPort ?? defaultPort });
  } catch (error) {
    if (metricsPort === null && isTaken(error)) {
      await listening(server, { host, port: 0 });
      logger.warn({ defaultPort }, 'the default port of metrics is taken; a free one serves them');
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`configuration: METRICS_PORT cannot be listened on: ${reason}\n`);
    process.exit(1);
  }
};

export type MetricsServer = Readonly<{ url: string; close: () => Promise<void> }>;

/**
 * `/metrics`, and `/readyz` with its details, apart from what the internet reaches. An explicit port
 * that is taken ends the process; the default gives way to a free one.
 */
export const openMetrics = async (runtime: Runtime, plan: Plan): Promise<MetricsServer> => {
  const server = createMetricsServer(runtime, plan);
  await listenOnPort(server, runtime);
  const { address, family, port } = server.address() as AddressInfo;
  const host = ['0.0.0.0', '::'].includes(address) ? '127.0.0.1' : address;
  const url = `http://${family === 'IPv6' && host === address ? `[${host}]` : host}:${port}`;
  runtime.logger.info({ url: `${url}/metrics` }, 'metrics are served');
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { url, close };
};

/** The same for a process that has no port: over a unix socket. */
export const openMetricsAt = async (
  runtime: Runtime,
  plan: Plan & Readonly<{ socketPath: string }>,
): Promise<void> => {
  await listening(createMetricsServer(runtime, plan), { path: plan.socketPath });
};
