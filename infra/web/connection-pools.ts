import type { Socket } from 'node:net';
import { createProxyTrust } from './client-address.ts';
import { ConnectionPool } from './connection-pool.ts';
import { callerOf } from './network.ts';

export type ConnectionLimits = Readonly<{
  maxConnections: number;
  /** For an IPv4 address or an IPv6 /64; peers that are trusted proxies are not counted. */
  maxConnectionsPerAddress: number;
  trustedProxies: readonly string[];
}>;

/** The place of one connection among the others. */
export type Membership = Readonly<{
  /** A whole request head has arrived over it. */
  used: () => void;
}>;

export type ConnectionPools = Readonly<{
  /** null: there is no room. */
  admit: (socket: Socket) => Membership | null;
}>;

/** Counts connections, in all and by client, and closes those that block others. */
export const createConnectionPools = (
  limits: ConnectionLimits,
  isIdle: (socket: Socket) => boolean,
): ConnectionPools => {
  const isProxy = createProxyTrust(limits.trustedProxies);
  const all = new ConnectionPool(limits.maxConnections, isIdle);
  const byClient = new Map<string, ConnectionPool>();

  const poolOf = (client: string): ConnectionPool => {
    const known = byClient.get(client);
    if (known !== undefined) return known;
    const pool = new ConnectionPool(limits.maxConnectionsPerAddress, isIdle);
    byClient.set(client, pool);
    return pool;
  };
  /** null: the peer represents many clients, or has no address. */
  const clientOf = ({ remoteAddress = '' }: Socket): string | null =>
    remoteAddress === '' || isProxy(remoteAddress) ? null : callerOf(remoteAddress);

  const remove = (socket: Socket, client: string | null): void => {
    all.remove(socket);
    if (client === null) return;
    const own = byClient.get(client);
    own?.remove(socket);
    if (own?.size === 0) byClient.delete(client);
  };
  const makeRoom = (pool: ConnectionPool): boolean => {
    const victims = pool.victims();
    for (const victim of victims ?? []) {
      remove(victim, clientOf(victim));
      victim.destroy();
    }
    return victims !== null;
  };
  const isAdmitted = (own: ConnectionPool | null): boolean =>
    (own === null || makeRoom(own)) && makeRoom(all);

  return {
    admit: (socket) => {
      const client = clientOf(socket);
      const own = client === null ? null : poolOf(client);
      if (!isAdmitted(own)) {
        remove(socket, client);
        return null;
      }
      const pools = own === null ? [all] : [all, own];
      if (client !== null && own !== null) byClient.set(client, own);
      for (const pool of pools) pool.add(socket);
      socket.once('close', () => remove(socket, client));
      return {
        used: () => {
          for (const pool of pools) pool.used(socket);
        },
      };
    },
  };
};
