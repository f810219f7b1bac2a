import { sessionMaxAgeSeconds } from '../../domain/access/session.ts';
import type { SessionId } from '../../domain/shared/ids.ts';
import type { Bus } from '../ports/bus.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { SessionUse } from '../ports/sessions.ts';

type Deps = Readonly<{ bus: Bus; clock: Clock; logger: Logger }>;

/** Milliseconds between two writes for one session. */
const coarseMs = 60_000;
/** Sessions whose last write this process remembers. */
const maxRemembered = 10_000;

/** Last use of sessions, in the bus's key-value store: at most one write a minute for each. */
export const createSessionUse = ({ bus, clock, logger }: Deps): SessionUse => {
  const held = bus.keyValue('session-use', { ttlSeconds: sessionMaxAgeSeconds });
  const writtenAt = new Map<SessionId, number>();

  const remember = (sessionId: SessionId, now: number): void => {
    writtenAt.delete(sessionId);
    writtenAt.set(sessionId, now);
    const [oldest] = writtenAt.keys();
    if (writtenAt.size > maxRemembered && oldest !== undefined) writtenAt.delete(oldest);
  };

  /** Another process may have written within the same minute. */
  const write = async (sessionId: SessionId, now: number): Promise<void> => {
    const known = (await held.get<number>(sessionId)) ?? 0;
    if (now - known >= coarseMs) await held.put(sessionId, now);
  };

  return {
    note: (sessionId) => {
      const now = clock().getTime();
      if (now - (writtenAt.get(sessionId) ?? 0) < coarseMs) return;
      remember(sessionId, now);
      write(sessionId, now).catch((error: unknown) => {
        logger.warn({ error }, 'the last use of a session could not be written');
      });
    },
    lastUsedAt: async (sessionIds) => {
      const times = await Promise.all(sessionIds.map((id) => held.get<number>(id)));
      return new Map(
        sessionIds.flatMap((id, nth) => {
          const time = times[nth];
          return typeof time === 'number' ? [[id, time] as const] : [];
        }),
      );
    },
  };
};
