import { connect } from 'node:net';
import { connect as connectSecurely, type SecureContextOptions } from 'node:tls';
import type { Dial } from './connection.ts';

const readBytes = 65_536;
/** Idle time after which TCP keep-alive probes the peer. */
const probeMs = 60_000;

/**
 * All connections read into the same bytes: each read is taken out of them before the next one is
 * made. Where the system itself fills them in the background, every connection has its own.
 */
const shared = process.platform === 'win32' ? null : Buffer.allocUnsafeSlow(readBytes);

type Place = Readonly<{
  host: string;
  port: number;
  isSecure: boolean;
}>;

const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);

/** The way to one provider; TLS sessions are used again. */
export const dialTo = ({ host, port, isSecure }: Place, trust: SecureContextOptions): Dial => {
  let session: Buffer | undefined;
  return (read) => {
    const onread = {
      buffer: shared ?? Buffer.allocUnsafeSlow(readBytes),
      callback: (count: number, bytes: Uint8Array) => {
        read(count, bytes as Buffer);
        return true;
      },
    };
    const options = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: probeMs };
    if (!isSecure) return connect({ ...options, onread });
    // Part of Node's documentation of `tls.connect`, and not of its types.
    const withReading = { ...trust, ...options, onread, ALPNProtocols: ['http/1.1'] };
    const socket = connectSecurely({
      ...withReading,
      ...(isAddress(host) ? {} : { servername: host }),
      ...(session === undefined ? {} : { session }),
    });
    socket.on('session', (fresh) => {
      session = fresh;
    });
    return socket;
  };
};
