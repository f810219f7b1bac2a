import { request as httpRequest, type IncomingMessage } from 'node:http';

/** Wide enough for every test that is not about them. */
export const limits = {
  headersTimeoutMs: 60_000,
  bodyIdleTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  maxConnections: 1_000,
  maxConnectionsPerAddress: 1_000,
  trustedProxies: [],
};

export type Reply = Readonly<{
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  text: string;
  /** The connection broke before the answer ended. */
  broken: boolean;
}>;

export const exchangeHttp = (
  port: number,
  options: Readonly<{ method: string; path: string; headers: Record<string, string | number> }>,
  body: Buffer | null,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const req = httpRequest({ host: '127.0.0.1', port, agent: false, ...options }, (res) => {
      const chunks: Buffer[] = [];
      const end = (broken: boolean): void => {
        const all = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = res;
        resolve({ status, headers, body: all, text: all.toString('utf8'), broken });
      };
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => end(false));
      res.on('error', () => end(true));
    });
    req.on('error', reject);
    req.end(body ?? undefined);
  });
