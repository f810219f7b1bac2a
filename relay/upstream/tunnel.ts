import { Agent, type ClientRequestArgs, request } from 'node:http';
import { type RequestOptions, request as requestSecurely, Agent as SecureAgent } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { SocksClient } from 'socks';

/** Where a tunnel ends. */
type Target = Readonly<{ host: string; port: number }>;

const socksPort = 1_080;
const securePort = 443;
const plainPort = 80;

const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '');

const authorizationOf = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

const byConnect = (proxy: URL, { host, port }: Target, timeoutMs: number): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const isSecure = proxy.protocol === 'https:';
    const connecting = (isSecure ? requestSecurely : request)({
      host: unbracketed(proxy.hostname),
      port: proxy.port || (isSecure ? securePort : plainPort),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    connecting.once('error', reject);
    connecting.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(new Error(`the proxy answered with status ${statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    connecting.end();
  });

/** RFC 1928, passwords by RFC 1929; names are resolved by the proxy. */
const bySocks = async (proxy: URL, { host, port }: Target, timeoutMs: number): Promise<Duplex> => {
  const { socket } = await SocksClient.createConnection({
    proxy: {
      host: unbracketed(proxy.hostname),
      port: Number(proxy.port) || socksPort,
      type: 5,
      ...(proxy.username === ''
        ? {}
        : {
            userId: decodeURIComponent(proxy.username),
            password: decodeURIComponent(proxy.password),
          }),
    },
    command: 'connect',
    destination: { host, port },
    timeout: timeoutMs,
  });
  return socket;
};

const connectors: Readonly<Record<string, typeof bySocks>> = {
  'http:': byConnect,
  'https:': byConnect,
  'socks:': bySocks,
  'socks5:': bySocks,
  'socks5h:': bySocks,
};

const timedOut = new Error('the proxy timed out');
const isTimeout = ({ name, message }: Error): boolean =>
  name === 'TimeoutError' || name === 'AbortError' || message.includes('timed out');

type Callback = (error: Error | null, stream: Duplex) => void;
type Dial = (options: ClientRequestArgs, callback: Callback) => void;

const dialer = (address: string, timeoutMs: number): Dial => {
  const proxy = new URL(address);
  const connect = connectors[proxy.protocol];
  if (connect === undefined) throw new Error('the proxy supports neither HTTP nor SOCKS');
  return ({ host, port }, callback) => {
    const target = { host: host ?? '', port: Number(port) };
    connect(proxy, target, timeoutMs).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(isTimeout(error) ? timedOut : error, new Socket()),
    );
  };
};

class PlainTunnel extends Agent {
  private readonly dial: Dial;

  constructor(dial: Dial) {
    super();
    this.dial = dial;
  }

  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    this.dial(options, callback);
  }
}

class SecureTunnel extends SecureAgent {
  private readonly dial: Dial;

  constructor(dial: Dial) {
    super();
    this.dial = dial;
  }

  override createConnection(options: RequestOptions, callback: Callback): undefined {
    this.dial(options, (error, socket) => {
      if (error !== null) callback(error, socket);
      else callback(null, connectSecurely({ socket, servername: options.servername ?? '' }));
    });
  }
}

/**
 * An agent that connects one websocket through a channel's proxy; undefined: it needs none.
 * @throws when the address is that of no proxy
 */
export const tunnelFor = (url: string, proxy: string, timeoutMs: number): Agent | undefined => {
  if (proxy === '') return undefined;
  const dial = dialer(proxy, timeoutMs);
  return url.startsWith('wss') ? new SecureTunnel(dial) : new PlainTunnel(dial);
};
