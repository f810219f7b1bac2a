import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers without a port of their own (from 32768
 * on under Linux): nothing takes one between the choice and the start of a process, or while it is down.
 */
const first = 10_000;
const count = 22_000;
/** Test processes begin at different places. */
let last = (process.pid * 211) % count;

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port without a listener, which this process has not given to another. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < count; tries += 1) {
    last = (last + 1) % count;
    const port = first + last;
    if (await canListen(port)) return port;
  }
  throw new Error('no port is free');
};
