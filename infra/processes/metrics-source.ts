import { Client, request } from 'undici';
import type { MetricValues } from '../ports/metrics.ts';
import type { ModuleState } from './health.ts';
import type { MetricsSource } from './metrics-server.ts';

const timeoutMs = 5_000;

const ask = async <T>(socketPath: string, path: string): Promise<T> => {
  const client = new Client('http://process', { socketPath, headersTimeout: timeoutMs });
  try {
    const answer = await request(`http://process${path}`, { dispatcher: client });
    return (await answer.body.json()) as T;
  } finally {
    client.destroy().catch(() => undefined);
  }
};

/**
 * What a process of the tree reports over the unix socket of its metrics; none while it is away.
 */
export const metricsOverSocket = (
  name: string,
  socketPath: () => string | null,
): MetricsSource => ({
  metrics: async () => {
    const path = socketPath();
    return path === null ? [] : ask<MetricValues>(path, '/metrics.json');
  },
  modules: async () => {
    const path = socketPath();
    if (path === null) return [{ name, ok: false, detail: {} }];
    const { parts } = await ask<{ parts: readonly ModuleState[] }>(path, '/readyz');
    return parts;
  },
});
