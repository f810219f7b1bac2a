import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

/*
 * The clients of NATS and EventStoreDB send the host of a server as its TLS server name. Node 26 refuses addresses
 * there (RFC 6066, section 3), so that an engine could only be named by a host name. Here the name is left out for
 * addresses, and the certificate is checked against the address all the same.
 */
const tls = createRequire(import.meta.url)('node:tls') as { connect: (...all: never[]) => unknown };
const { connect } = tls;

/** The options without a server name that is an address; its certificate has to name the address. */
export const withoutAddressName = (options: ConnectionOptions): ConnectionOptions => {
  const { servername, ...others } = options;
  return servername === undefined || isIP(servername) === 0
    ? options
    : { host: servername, ...others };
};

/** For every TLS connection of this process that is opened from now on; repeating it is harmless. */
export const allowTlsToAddresses = (): void => {
  tls.connect = (...[first, ...others]: never[]) =>
    connect(
      ...([
        typeof first === 'object' ? withoutAddressName(first as ConnectionOptions) : first,
        ...others,
      ] as never[]),
    );
};
