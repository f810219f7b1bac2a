import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP line between one process and a server, which a test may cut or make slow. */
export type Line = Readonly<{
  port: number;
  cut: () => void;
  heal: () => void;
  /** What passes arrives so much later, in both directions; 0: at once. */
  delay: (ms: number) => void;
  close: () => Promise<void>;
}>;

export const openLine = async (to: Readonly<{ host: string; port: number }>): Promise<Line> => {
  const sockets = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  const later = (): Transform =>
    new Transform({
      transform: (part, _encoding, done) => {
        if (delayMs === 0) done(null, part);
        else setTimeout(() => done(null, part), delayMs);
      },
    });
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    hold(near);
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(to);
    hold(far);
    near.pipe(later()).pipe(far);
    far.pipe(later()).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    heal: () => {
      isCut = false;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
};
