import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Foundation } from './foundation.ts';

export type PartState = Readonly<{ name: string; ok: boolean; detail: unknown }>;

/** Answers `/healthz`, `/readyz` and `/metrics` of a process without Fastify; true when it did. */
export const createHealth = (
  { metrics }: Pick<Foundation, 'metrics'>,
  parts: () => readonly PartState[],
) => {
  const json = (res: ServerResponse, status: number, body: unknown): true => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
    return true;
  };
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    if (req.url === '/healthz') return json(res, 200, { ok: true });
    if (req.url === '/readyz') {
      const states = parts();
      const ok = states.every((state) => state.ok);
      return json(res, ok ? 200 : 503, { ok, parts: states });
    }
    if (req.url !== '/metrics') return false;
    metrics.text().then(
      (text) => {
        res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
        res.end(text);
      },
      () => json(res, 500, { ok: false }),
    );
    return true;
  };
};
