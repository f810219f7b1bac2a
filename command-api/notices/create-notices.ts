import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '../../infra/ports/bus.ts';
import { createDelivery, type DeliveryNeeds } from './deliver.ts';
import type { Notice } from './notice.ts';

type Deps = Readonly<{
  bus: Bus;
}>;

export interface Notices {
  /**
   * Sends in the background, once in a cluster for each `cause`, within the limit, and tries again
   * when it did not arrive.
   */
  send(notice: Notice, cause: string): void;
  /** Something is still on its way. */
  isBusy(): boolean;
  /** Resolves when nothing is on its way. */
  settled(): Promise<void>;
}

type Needs = DeliveryNeeds &
  Deps &
  Readonly<{ retryDelaysMs?: readonly number[]; limit?: NoticeLimit }>;

/** So many notices of a kind to one person within the window. */
type NoticeLimit = Readonly<{ count: number; windowSeconds: number }>;
type Claim = Readonly<{ sent: true }> | Readonly<{ sendingUntil: number }>;

const defaultLimit: NoticeLimit = { count: 2, windowSeconds: 600 };
const defaultRetryDelaysMs: readonly number[] = [2_000, 10_000, 60_000];
/** The sender is done by then, repeats included, or dead. */
const claimMs = 120_000;
const rememberedSeconds = 86_400;

export const createNotices = (needs: Needs): Notices => {
  const { bus, clock, logger, limit = defaultLimit } = needs;
  const delaysMs = needs.retryDelaysMs ?? defaultRetryDelaysMs;
  const deliver = createDelivery(needs);
  const counts = bus.keyValue('notice-limit', { ttlSeconds: limit.windowSeconds });
  const claims = bus.keyValue('notice-claim', { ttlSeconds: rememberedSeconds });
  const open = new Set<Promise<void>>();

  const now = (): number => clock().getTime();

  /** How long to wait before a claim may succeed; 0 when it may right now. */
  const waitFor = async (cause: string, held: Claim | null): Promise<number | 'sent'> => {
    if (held === null) return 0;
    if ('sent' in held) return 'sent';
    if (held.sendingUntil <= now() && (await claims.remove(cause))) return 0;
    return Math.min(claimMs, Math.max(1_000, held.sendingUntil - now()));
  };

  /** True for the one who is to send it; others wait until it is sent or its sender is dead. */
  const claim = async (cause: string): Promise<boolean> => {
    for (;;) {
      const ours: Claim = { sendingUntil: now() + claimMs };
      if (await claims.create<Claim>(cause, ours)) return true;
      const waitMs = await waitFor(cause, await claims.get<Claim>(cause));
      if (waitMs === 'sent') return false;
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
    }
  };

  /** Null: there is nothing more to do. */
  const delayAfter = async (notice: Notice, nth: number): Promise<number | null> => {
    try {
      await deliver(notice);
      return null;
    } catch (error) {
      const delay = delaysMs[nth];
      const fields = { userId: notice.to, kind: notice.kind, attempt: nth + 1 };
      if (delay === undefined) {
        logger.warn({ ...fields, error: String(error) }, 'notice given up');
        return null;
      }
      logger.info(fields, 'notice did not arrive, tried again later');
      return delay;
    }
  };

  const attempt = async (notice: Notice): Promise<void> => {
    for (let nth = 0; ; nth += 1) {
      const delay = await delayAfter(notice, nth);
      if (delay === null) return;
      await sleep(delay, undefined, { ref: false });
    }
  };

  const process = async (notice: Notice, cause: string): Promise<void> => {
    const name = `${cause}/${notice.kind}`;
    if (!(await claim(name))) return;
    const sent = await counts.increment(`${notice.to}/${notice.kind}`, 1);
    if (sent <= limit.count) await attempt(notice);
    await claims.put<Claim>(name, { sent: true });
  };

  return {
    send(notice, cause) {
      const work = process(notice, cause)
        .catch((error: unknown) => logger.warn({ kind: notice.kind, error }, 'notice not sent'))
        .finally(() => open.delete(work));
      open.add(work);
    },
    isBusy: () => open.size > 0,
    async settled() {
      while (open.size > 0) await Promise.all(open);
    },
  };
};
