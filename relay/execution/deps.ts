import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Metrics } from '../../infra/ports/metrics.ts';
import type { SessionVerifier } from '../../infra/ports/sessions.ts';
import type { Timers } from '../../infra/ports/timers.ts';
import type { RelayTracing } from '../../infra/ports/tracing.ts';
import type { RelayVault } from '../../infra/ports/vault.ts';
import type { Workers } from '../../infra/ports/workers.ts';
import type { BodyBudget } from '../../infra/web/body-budget.ts';
import type { LeaseBook } from '../admission/lease-book.ts';
import type { Journal } from '../settlement/journal.ts';

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
  maxAnswerMs?: number;
  /** Bytes read from upstream for one answer; 256 MiB when absent. */
  maxAnswerBytes?: number;
  /** How often requests in flight are checked, in milliseconds; a second when absent. */
  tickMs?: number;
  /** What a request may hold that has to be translated for its provider. */
  translation?: Readonly<{
    /** Bytes of its body; 32 MiB when absent. */
    maxBytes: number;
    /** Messages, or inputs, or tools; 10,000 when absent. */
    maxMessages: number;
  }>;
}>;

export type RelayDeps = Readonly<{
  bus: Bus;
  vault: RelayVault;
  sessionVerifier: SessionVerifier;
  clock: Clock;
  timers: Timers;
  logger: Logger;
  metrics: Metrics;
  /** Absent: no collector is configured. */
  tracing?: RelayTracing | null;
  leaseBook: LeaseBook;
  journal: Journal;
  /** Bytes of request bodies in memory, shared with whatever else this process serves. */
  bodies: BodyBudget;
  settings: RelaySettings;
  /** Absent in tests of short bodies: everything is done at once. */
  workers?: Workers;
}>;
