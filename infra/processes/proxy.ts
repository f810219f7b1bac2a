import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request } from 'node:http';

/** Headers that belong to one hop and are not handed on (RFC 9110, section 7.6.1). */
const ofThisHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]);

const unavailable = (res: ServerResponse): void => {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = JSON.stringify({
    success: false,
    code: 'control.unavailable',
    message: 'The console is starting or restarting; try again in a moment.',
  });
  res.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  res.end(body);
};

/**
 * Hands a request to the control process and its answer back. Only what the relay does not answer
 * comes here, so plain `node:http` is fast enough.
 */
export const createProxy = (targetPort: () => number | null) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return (req: IncomingMessage, res: ServerResponse): void => {
    const port = targetPort();
    if (port === null) {
      unavailable(res);
      return;
    }
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(req.headers)) {
      if (value !== undefined && !ofThisHop.has(name)) headers[name] = value;
    }
    const seenBefore = req.headers['x-forwarded-for'];
    const peer = req.socket.remoteAddress ?? '';
    headers['x-forwarded-for'] = seenBefore === undefined ? peer : `${String(seenBefore)}, ${peer}`;
    const upstream = request({
      host: '127.0.0.1',
      port,
      method: req.method,
      path: req.url,
      headers,
      agent,
    });
    upstream.on('response', (answer) => {
      const answerHeaders = { ...answer.headers };
      for (const name of ofThisHop) delete answerHeaders[name];
      res.writeHead(answer.statusCode ?? 502, answerHeaders);
      answer.on('error', () => res.destroy());
      answer.pipe(res);
    });
    upstream.on('error', () => unavailable(res));
    res.on('close', () => upstream.destroy());
    req.on('error', () => upstream.destroy());
    req.pipe(upstream);
  };
};
