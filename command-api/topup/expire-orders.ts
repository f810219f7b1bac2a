import type { DueTopUps, DueTopUpsRequest } from '../../domain/topup/messages.ts';
import type { Bus } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore } from '../../infra/ports/event-store.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { every, type Job } from '../jobs/job.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { isBusUnavailable } from '../shared/errors.ts';
import { systemMetadata } from '../shared/metadata.ts';
import { createOrders } from './orders.ts';

type Deps = Readonly<{
  eventStore: EventStore;
  bus: Bus;
  vault: Vault;
  clock: Clock;
  logger: Logger;
  commands: CommandHandler;
  options: SiteOptions;
}>;

const intervalMs = 30_000;
const timeoutMs = 5_000;
/** Orders of one run; the rest has its turn in the next. */
const atOnce = 200;

/** Closes orders whose time has run out; each is queried once more before. */
export const expireOrders = (deps: Deps): Job => {
  const { bus, clock } = deps;
  const orders = createOrders(deps);

  const due = async (): Promise<readonly string[]> => {
    const at = Math.floor(clock().getTime() / 1_000);
    try {
      const wanted = { at, limit: atOnce };
      const answer = await bus.request<DueTopUpsRequest, DueTopUps>('topup-list.due', wanted, {
        timeoutMs,
      });
      return answer.tradeNos;
    } catch (error) {
      // No read side is there; the orders are still due in the next run.
      if (isBusUnavailable(error)) return [];
      throw error;
    }
  };

  return {
    name: 'topup-expiry',
    everyMs: every(intervalMs),
    run: async ({ signal }) => {
      const figures = { expired: 0, paid: 0, kept: 0 };
      for (const tradeNo of await due()) {
        if (signal.aborted) break;
        const metadata = systemMetadata('topup-expiry', clock);
        figures[await orders.close(tradeNo, { metadata })] += 1;
      }
      return figures.expired + figures.paid + figures.kept === 0 ? {} : figures;
    },
  };
};
