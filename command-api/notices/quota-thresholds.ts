import { LRUCache } from 'lru-cache';
import type { RequestCharged } from '../../domain/account/events.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { loadUser } from '../user/find-user.ts';

type Deps = Readonly<{
  commands: CommandHandler;
  options: SiteOptions;
}>;

const keptUsers = 20_000;

/** The balance was at the threshold or above before this charge, and is below it after. */
export const crosses = (
  { amount, balanceAfter }: Pick<RequestCharged['data'], 'amount' | 'balanceAfter'>,
  threshold: number,
): boolean => balanceAfter < threshold && balanceAfter + amount >= threshold;

/** Below which balance people are warned, in quota units; cached after the first read. */
export const createQuotaThresholds = (needs: Deps) => {
  const own = new LRUCache<UserId, number | 'default'>({ max: keptUsers });
  let common: number | null = null;

  /** null: has to be read. */
  const known = (userId: UserId): number | null => {
    const threshold = own.get(userId);
    return threshold === 'default' ? common : (threshold ?? null);
  };
  return {
    known,
    async lookUp(userId: UserId): Promise<number> {
      const settings = (await loadUser(needs, userId))?.settings;
      own.set(userId, settings?.quotaWarningThreshold ?? 'default');
      common ??= await needs.options.number('QuotaRemindThreshold');
      return known(userId) ?? common;
    },
    forget(userId: UserId): void {
      own.delete(userId);
    },
    forgetCommon(): void {
      common = null;
    },
  };
};
