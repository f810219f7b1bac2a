import { randomUUID } from 'node:crypto';
import type { UserId } from '../../domain/shared/ids.ts';
import type { UserLoginFailed } from '../../domain/user/events.ts';
import { loginFailuresStreamId } from '../../domain/user/stream.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { PersonalKeys } from '../identity/personal-keys.ts';
import { systemMetadata } from '../shared/metadata.ts';

type LoginFailure = Readonly<{ userId: UserId; method: string; ip: string }>;

export interface LoginFailures {
  /** Counts a failed sign-in of an existing user. Does not wait. */
  note(failure: LoginFailure): void;
  /** Writes what was counted. */
  stop(): Promise<void>;
}

type Deps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  personalKeys: PersonalKeys;
  clock: Clock;
  logger: Logger;
}>;
type Counted = { latest: LoginFailure; count: number; timer: NodeJS.Timeout };

/** Seconds between two events of one person, whichever process writes them. */
const pauseSeconds = 60;
/** A little longer, so that the turn of the last event is over by then. */
const timerMs = (pauseSeconds + 1) * 1_000;
/** People counted at one moment; beyond it failures go to the log of the process alone. */
const maxPeople = 10_000;

/**
 * Failed sign-ins for the audit trail. The first is written at once; those that follow within the
 * minute are counted and written together, so that an attack does not flood the log.
 */
export const createLoginFailures = (deps: Deps): LoginFailures => {
  const { eventStore, bus, personalKeys, clock, logger } = deps;
  const turns = bus.keyValue('login-failures', { ttlSeconds: pauseSeconds });
  const counted = new Map<UserId, Counted>();

  const append = async ({ userId, method, ip }: LoginFailure, count: number): Promise<void> => {
    const seal = await personalKeys.get(userId);
    if (seal === null) return;
    const event: UserLoginFailed = {
      type: 'UserLoginFailed',
      data: { userId, method, count, address: seal.seal(ip, 'login-failure-address') },
    };
    const metadata = systemMetadata('sign-in', clock);
    const appended = { event, eventId: randomUUID(), metadata };
    await eventStore.append(loginFailuresStreamId(userId), [appended], 'any');
  };

  /** Writes what was counted when it is this person's turn; else it waits for the next one. */
  const write = async (entry: Counted): Promise<void> => {
    const { latest, count } = entry;
    if (!(await turns.create(String(latest.userId), true))) return;
    entry.count -= count;
    try {
      await append(latest, count);
    } catch (error) {
      entry.count += count;
      throw error;
    }
  };

  const warn = (error: unknown): void => {
    logger.warn({ error }, 'failed sign-ins could not be written');
  };

  const later = (userId: UserId): NodeJS.Timeout =>
    setTimeout(() => {
      const entry = counted.get(userId);
      if (entry === undefined) return;
      if (entry.count === 0) {
        counted.delete(userId);
        return;
      }
      entry.timer = later(userId);
      write(entry).catch(warn);
    }, timerMs).unref();

  return {
    note(failure) {
      const { userId } = failure;
      const known = counted.get(userId);
      if (known !== undefined) {
        known.count += 1;
        known.latest = failure;
        return;
      }
      if (counted.size >= maxPeople) {
        logger.warn({ userId }, 'a failed sign-in was not counted');
        return;
      }
      const entry: Counted = { latest: failure, count: 1, timer: later(userId) };
      counted.set(userId, entry);
      write(entry).catch(warn);
    },
    async stop() {
      const left = [...counted.values()];
      counted.clear();
      for (const { timer } of left) clearTimeout(timer);
      await Promise.all(
        left.map(({ latest, count }) => (count > 0 ? append(latest, count).catch(warn) : null)),
      );
    },
  };
};
