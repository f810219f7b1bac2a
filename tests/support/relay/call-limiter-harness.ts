import type { CallLimits } from '../../../domain/relay/call-limits.ts';
import { createMemoryBus } from '../../../infra/bus/memory/create-memory-bus.ts';
import type { Bus, KeyValue } from '../../../infra/ports/bus.ts';
import {
  CallLimiter,
  type CallPermit,
  isPermit,
  type TokenNeed,
} from '../../../relay/admission/call-limits/call-limiter.ts';
import type { AppliedLimits } from '../../../relay/feeds/call-limits.ts';
import type { ApiError } from '../../../relay/protocol/api-error.ts';
import { silentLogger } from '../silent-logger.ts';
import { VirtualTimers } from '../virtual-timers.ts';

export const small: TokenNeed = { prompt: 1, output: 1 };

/** Relays that share a bus, in time that a test moves; clocks may differ. */
export const cluster = (clocksMs: readonly number[] = [0, 0, 0]) => {
  const timers = new VirtualTimers();
  const clock = () => new Date(Date.UTC(2026, 0, 1) + timers.now());
  const bus = createMemoryBus({ logger: silentLogger, clock, timers });
  const seen = { operations: 0, away: false, delayMs: 0 };
  const keyValue: Bus['keyValue'] = (bucket, options) => {
    const store = bus.keyValue(bucket, options);
    const delay = (): Promise<void> =>
      new Promise((resolve) => timers.setTimeout(resolve, seen.delayMs));
    const through = async <T>(work: () => Promise<T>): Promise<T> => {
      seen.operations += 1;
      if (seen.away) throw new Error('away');
      if (seen.delayMs === 0) return work();
      await delay();
      const result = await work();
      await delay();
      return result;
    };
    return {
      get: (key) => through(() => store.get(key)),
      put: (key, value) => through(() => store.put(key, value)),
      create: (key, value) => through(() => store.create(key, value)),
      replace: (key, held, value) => through(() => store.replace(key, held, value)),
      remove: (key) => through(() => store.remove(key)),
      increment: (key, by) => through(() => store.increment(key, by)),
    } satisfies KeyValue;
  };
  const relays = clocksMs.map(
    (aheadMs) =>
      new CallLimiter({
        bus: { keyValue },
        clock: () => new Date(clock().getTime() + aheadMs),
        timers,
        logger: silentLogger,
      }),
  );
  const relayAt = (at: number): CallLimiter => {
    const relay = relays[at];
    if (relay === undefined) throw new Error('no such relay');
    return relay;
  };
  return { timers, seen, relayAt };
};

export const user = (limits: CallLimits): readonly AppliedLimits[] => [
  { by: 'user', name: '7', limits },
];

export const take = async (
  relay: CallLimiter,
  limits: readonly AppliedLimits[],
  need = small,
): Promise<CallPermit | ApiError> => (await relay.take(limits, need)).permit;

/** Those that were admitted. */
export const admittedOf = (all: readonly (CallPermit | ApiError)[]): readonly CallPermit[] =>
  all.filter(isPermit);

export const many = (
  count: number,
  relay: CallLimiter,
  limits: readonly AppliedLimits[],
): Promise<readonly (CallPermit | ApiError)[]> =>
  Promise.all(Array.from({ length: count }, () => take(relay, limits)));
