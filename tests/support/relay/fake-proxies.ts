import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from './relay-harness.ts';

/** A proxy inside a test, and its requests. */
export type FakeProxy = Readonly<{
  port: number;
  /** Targets of the tunnels that were opened. */
  tunnels: string[];
  /** Requested and refused. */
  refused: string[];
  /** Tunnels that are open now. */
  open: () => number;
  close: () => void;
}>;

type ProxyRecord = Omit<FakeProxy, 'port' | 'close'> & Readonly<{ sockets: Set<Socket> }>;

const newRecord = (): ProxyRecord => {
  const sockets = new Set<Socket>();
  return { tunnels: [], refused: [], sockets, open: () => sockets.size };
};

type Tunnel = Readonly<{ socket: Socket; target: string; greeting: Buffer | string }>;

/** Connects the tunnel to the target's port on this machine, whatever its name. */
const openTunnel = (record: ProxyRecord, { socket, target, greeting }: Tunnel): void => {
  record.tunnels.push(target);
  record.sockets.add(socket);
  socket.on('close', () => record.sockets.delete(socket));
  const onward = connect(Number(target.split(':').at(-1)), '127.0.0.1', () => {
    socket.write(greeting);
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
  socket.on('error', () => onward.destroy());
  socket.on('close', () => onward.destroy());
};

/** Supports CONNECT; `login` is "name:password", "" for none. */
export const startConnectProxy = async (login = ''): Promise<FakeProxy> => {
  const record = newRecord();
  const server = createHttpServer((_req, res) => res.writeHead(400).end());
  const wanted = `Basic ${Buffer.from(login).toString('base64')}`;
  server.on('connect', (req, socket: Socket) => {
    const target = req.url ?? '';
    if (login === '' || req.headers['proxy-authorization'] === wanted) {
      const greeting = 'HTTP/1.1 200 Connection established\r\n\r\n';
      openTunnel(record, { socket, target, greeting });
    } else {
      record.refused.push(target);
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    }
  });
  const port = await listen(server);
  const close = (): void => {
    server.closeAllConnections();
    for (const socket of record.sockets) socket.destroy();
    server.close();
  };
  return { ...record, port, close };
};

const accepted = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 9]);

/** The target of a request for a tunnel: an address, or a name. */
const targetOf = (request: Buffer): string => {
  const isName = request.readUInt8(3) === 3;
  const host = isName
    ? request.toString('utf8', 5, request.length - 2)
    : [...request.subarray(4, 8)].join('.');
  return `${host}:${request.readUInt16BE(request.length - 2)}`;
};

/** Supports SOCKS5; `login` is "name:password", "" for none. It writes its replies byte by byte. */
export const startSocksProxy = async (login = ''): Promise<FakeProxy> => {
  const record = newRecord();
  const [name = '', password = ''] = login.split(':');
  const wanted = Buffer.from(
    `\x01${String.fromCharCode(name.length)}${name}${String.fromCharCode(password.length)}${password}`,
  );
  const server = createServer((socket) => {
    const slowly = (bytes: readonly number[]): void => {
      for (const byte of bytes) socket.write(Buffer.from([byte]));
    };
    socket.on('error', () => socket.destroy());
    const connectTarget = (bytes: Buffer): void =>
      openTunnel(record, { socket, target: targetOf(bytes), greeting: accepted });
    socket.once('data', () => {
      slowly([5, login === '' ? 0 : 2]);
      if (login === '') socket.once('data', connectTarget);
      else {
        socket.once('data', (bytes: Buffer) => {
          const isRight = bytes.equals(wanted);
          slowly([1, isRight ? 0 : 1]);
          if (isRight) socket.once('data', connectTarget);
          else record.refused.push(bytes.toString('latin1'));
        });
      }
    });
  });
  const port = await listen(server);
  const close = (): void => {
    for (const socket of record.sockets) socket.destroy();
    server.close();
  };
  return { ...record, port, close };
};
