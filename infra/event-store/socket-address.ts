/*
 * The client supports hosts and ports only. A store behind a unix socket gets a special host name
 * here, and the channels of this process turn that name into the path of the socket.
 */

const scheme = 'esdb+unix:';
const port = 2113;

const pathByTarget = new Map<string, string>();

/** The URL of a store that listens on a unix socket, for `createEventStore`. */
export const socketUrl = (path: string): string =>
  `${scheme}//${path.split('/').map(encodeURIComponent).join('/')}`;

/** Where the store of such a URL listens; null for one on a network. */
export const socketPathOf = (url: string): string | null =>
  url.startsWith(scheme) ? decodeURIComponent(url.slice(scheme.length + 2)) : null;

const hostOf = (path: string): string => `socket-${Buffer.from(path).toString('hex')}`;

/** What the client takes in place of `url`: the same, unless it names a socket. */
export const connectionStringOf = (url: string): string => {
  const path = socketPathOf(url);
  if (path === null) return url;
  const target = `${hostOf(path)}:${port}`;
  pathByTarget.set(target, path);
  return `esdb://${target}?tls=false`;
};

/** What a channel connects to for a target of the client. */
export const channelTargetOf = (target: string): string => {
  const path = pathByTarget.get(target);
  return path === undefined ? target : `unix:${path}`;
};
