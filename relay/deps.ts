import type { Bus } from '../infra/ports/bus.ts';
import type { Clock } from '../infra/ports/clock.ts';
import type { Logger } from '../infra/ports/logger.ts';
import type { Metrics } from '../infra/ports/metrics.ts';
import type { Timers } from '../infra/ports/timers.ts';
import type { Vault } from '../infra/ports/vault.ts';
import type { LeaseBook } from './admission/lease-book.ts';
import type { Journal } from './metering/journal.ts';

export type RelaySettings = Readonly<{
  /** Addresses and CIDR ranges whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  /** Largest request body, before and after decompression. */
  maxBodyBytes: number;
  /** Silence of an answering upstream after which it counts as broken. */
  streamIdleTimeoutMs: number;
  headersTimeoutMs: number;
  /** How long an answer is read on for its usage after the client has gone. */
  drainMs: number;
  /** From the call to the last byte of its answer, in milliseconds; an hour when absent. */
  longestAnswerMs?: number;
  /** Bytes read from upstream for one answer; 256 MiB when absent. */
  mostAnswerBytes?: number;
  /** How often requests in flight are looked at, in milliseconds; a second when absent. */
  beatMs?: number;
}>;

export type RelayDeps = Readonly<{
  bus: Bus;
  vault: Vault;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  leaseBook: LeaseBook;
  journal: Journal;
  settings: RelaySettings;
}>;
