import { once } from 'node:events';
import { Agent, type ClientRequestArgs, request } from 'node:http';
import { type RequestOptions, request as requestSecurely, Agent as SecureAgent } from 'node:https';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { askSocks, type Target } from './socks.ts';

const socksPort = 1_080;
const securePort = 443;
const plainPort = 80;

const unbracketed = (host: string): string => host.replace(/^\[|\]$/g, '');

const authorizationOf = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

const byConnect = (proxy: URL, { host, port }: Target, signal: AbortSignal): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const isSecure = proxy.protocol === 'https:';
    const asked = (isSecure ? requestSecurely : request)({
      host: unbracketed(proxy.hostname),
      port: proxy.port || (isSecure ? securePort : plainPort),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorizationOf(proxy) },
      agent: false,
      signal,
    });
    asked.once('error', reject);
    asked.once('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(new Error(`the proxy answered with status ${statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.end();
  });

const bySocks = async (proxy: URL, target: Target, signal: AbortSignal): Promise<Duplex> => {
  const host = unbracketed(proxy.hostname);
  const socket = connect({ host, port: Number(proxy.port) || socksPort });
  try {
    await once(socket, 'connect', { signal });
    await askSocks({ socket, signal }, proxy, target);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
};

const ways: Readonly<Record<string, typeof bySocks>> = {
  'http:': byConnect,
  'https:': byConnect,
  'socks:': bySocks,
  'socks5:': bySocks,
  'socks5h:': bySocks,
};

type Callback = (error: Error | null, stream: Duplex) => void;
type Dial = (options: ClientRequestArgs, callback: Callback) => void;

const dialer = (address: string, timeoutMs: number): Dial => {
  const proxy = new URL(address);
  const way = ways[proxy.protocol];
  if (way === undefined) throw new Error('the proxy speaks neither HTTP nor SOCKS');
  return ({ host, port }, callback) => {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), timeoutMs);
    const target = { host: host ?? '', port: Number(port) };
    way(proxy, target, giveUp.signal)
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => callback(null, socket),
        (error: Error) => {
          const isLate = giveUp.signal.aborted;
          callback(isLate ? new Error('the proxy timed out') : error, new Socket());
        },
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
 * The way of one websocket through a channel's proxy; undefined: it needs none.
 * @throws when the address is that of no proxy
 */
export const tunnelFor = (url: string, proxy: string, timeoutMs: number): Agent | undefined => {
  if (proxy === '') return undefined;
  const dial = dialer(proxy, timeoutMs);
  return url.startsWith('wss') ? new SecureTunnel(dial) : new PlainTunnel(dial);
};
