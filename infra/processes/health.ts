import type { IncomingMessage, ServerResponse } from 'node:http';

export type ModuleState = Readonly<{ name: string; ok: boolean; detail: unknown }>;

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
};

/**
 * Answers what is public: `/healthz`, and whether the process can serve.
 * Details and metrics have a port of their own, see `metrics-server.ts`. True when it answered.
 */
export const createHealth =
  (isReady: () => boolean) =>
  (req: IncomingMessage, res: ServerResponse): boolean => {
    switch ((req.url ?? '/').split('?', 1)[0]) {
      case '/healthz':
        sendJson(res, 200, { ok: true });
        return true;
      case '/readyz': {
        const ok = isReady();
        sendJson(res, ok ? 200 : 503, { ok });
        return true;
      }
      case '/metrics':
        sendJson(res, 404, { success: false, code: 'request.unknown-path' });
        return true;
      default:
        return false;
    }
  };

export const areReady = (modules: readonly ModuleState[]): boolean => modules.every(({ ok }) => ok);
