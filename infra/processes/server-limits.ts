import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { ServerLimits } from '../web/http-server.ts';
import type { Runtime } from './runtime.ts';

/** For everything that is not a client's connection: engines, files, the bus, probes. */
const reservedDescriptors = 128;
/** A body that a console sends is small. */
const consoleBodyTimeoutMs = 30_000;

/**
 * How many files and sockets this process may have open; null where the system does not report it.
 */
const descriptorLimit = (): number | null => {
  try {
    const [, soft] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
};

/** Each connection of a client may need another one behind it: to a provider or to another process. */
const affordable = (wanted: number, descriptors: number | null): number => {
  if (descriptors === null) return wanted;
  return Math.max(16, Math.min(wanted, Math.floor((descriptors - reservedDescriptors) / 2)));
};

/** What a server that listens for clients allows them. */
export const serverLimits = ({ config, logger }: Runtime): ServerLimits => {
  const { limits, trustedProxies } = config;
  const descriptors = descriptorLimit();
  const maxConnections = affordable(limits.maxConnections, descriptors);
  if (maxConnections < limits.maxConnections) {
    logger.info({ maxConnections, descriptors }, 'open files limit the number of connections');
  }
  return {
    headersTimeoutMs: limits.headersTimeoutSeconds * 1_000,
    bodyIdleTimeoutMs: limits.bodyIdleTimeoutSeconds * 1_000,
    requestTimeoutMs: limits.bodyTimeoutSeconds * 1_000,
    maxConnections,
    maxConnectionsPerAddress: limits.maxConnectionsPerAddress,
    trustedProxies,
  };
};

/** Of bodies of console calls, over all callers: a quarter of what relayed ones may take. */
export const consoleBodyBytes = ({ limits }: Config): number =>
  (limits.bodyMemoryMb * 1024 * 1024) / 4;

/** Milliseconds for the whole body of a console call. */
export const consoleBodyMs = ({ limits }: Config): number =>
  Math.min(consoleBodyTimeoutMs, limits.bodyTimeoutSeconds * 1_000);

/** The same for a server that serves the console's calls alone. */
export const consoleServerLimits = (runtime: Runtime): ServerLimits => ({
  ...serverLimits(runtime),
  requestTimeoutMs: consoleBodyMs(runtime.config),
});

/** For a unix socket, where the edge alone connects: it has counted its own clients. */
export const socketLimits = ({ config }: Runtime): ServerLimits => ({
  headersTimeoutMs: consoleBodyMs(config),
  bodyIdleTimeoutMs: consoleBodyMs(config),
  requestTimeoutMs: 2 * consoleBodyMs(config),
  maxConnections: Number.POSITIVE_INFINITY,
  maxConnectionsPerAddress: Number.POSITIVE_INFINITY,
  trustedProxies: [],
});
