import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Connections that wait to be accepted; the system has a separate limit. */
const backlog = 4_096;

/** Listens and answers the port; a port that cannot be had ends the process with one line. */
export const listenForClients = async (
  server: Server,
  { host, port }: Readonly<{ host: string; port: number }>,
): Promise<number> => {
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen({ host, port, backlog }, () => {
        server.off('error', fail);
        done();
      });
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`cannot listen on ${host}:${port}: ${reason}\n`);
    process.exit(1);
  }
  return (server.address() as AddressInfo).port;
};
