import type { GrantSource } from '../../../domain/account/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { ReadModelView, UsageSource } from '../../ports/read-models.ts';
import { timeOf } from '../check.ts';
import type { ConcernedEvent } from '../concerns.ts';
import type { Findings } from '../findings.ts';
import type { Expectation } from './expectation.ts';
import {
  compareSums,
  type EntryType,
  Margin,
  prunedCharge,
  reportMismatches,
} from './usage-sums.ts';

type Concerned = ConcernedEvent<'usage-log'>;
type Entry = Readonly<{ type: EntryType; userId: number; quota?: number; tokens?: number }>;

/** 1 top-up, 4 system. */
const typeOfGrant: Readonly<Record<GrantSource, EntryType>> = {
  setup: 4,
  registration: 4,
  invitation: 4,
  redemption: 1,
  topup: 1,
  'referral-transfer': 4,
};

/**
 * The entry that an event makes in the usage log, if it makes one. The act of an administrator stands
 * in the log of the person concerned, or else in the administrator's own.
 */
const entryOf = ({ event, metadata: { actor } }: Recorded<Concerned>): Entry | null => {
  switch (event.type) {
    case 'RequestCharged': {
      const { userId, amount: quota, usage } = event.data;
      return { type: 2, userId, quota, tokens: usage.promptTokens + usage.completionTokens };
    }
    case 'RequestFailed':
    case 'RequestAbandoned':
      return { type: 5, userId: event.data.userId };
    case 'QuotaGranted':
      return { type: typeOfGrant[event.data.source], userId: event.data.userId };
    case 'QuotaAdjusted':
    case 'CorrectionPosted':
      return { type: 3, userId: event.data.userId };
    case 'RequestRefunded':
    case 'ReferralRewarded':
    case 'ReferralRewardTransferred':
      return { type: 4, userId: event.data.userId };
    case 'UserRegistered':
    case 'UserGroupChanged':
    case 'UserPromoted':
    case 'UserDemoted':
    case 'UserDisabled':
    case 'UserEnabled':
    case 'UserDeleted':
    case 'PasswordReset':
      return actor.kind === 'admin' ? { type: 3, userId: event.data.userId } : null;
    case 'OptionChanged':
    case 'SecretOptionChanged':
    case 'OptionReset':
    case 'ChannelCreated':
    case 'ChannelChanged':
    case 'ChannelKeyReplaced':
    case 'ChannelEnabled':
    case 'ChannelDisabled':
    case 'ChannelTagged':
    case 'ChannelDeleted':
    case 'RedemptionCreated':
    case 'RedemptionChanged':
    case 'RedemptionEnabled':
    case 'RedemptionDisabled':
    case 'RedemptionDeleted':
      return actor.kind === 'admin' ? { type: 3, userId: Number(actor.id) } : null;
    case 'UsageLogPruned':
      return null;
  }
};

/**
 * Sums of the usage log, by user and by hour, for each type of entry. Remembers one row for each
 * user and one for each hour. `prunedBefore` in Unix seconds: charges and errors older than that
 * were pruned from the log by an operator.
 */
export class ExpectedUsage implements Expectation<'usage-log'> {
  readonly name = 'usage-log';
  readonly #byUser = new Margin();
  readonly #byHour = new Margin();
  readonly #prunedBefore: number;
  #logsCharges = true;

  constructor(prunedBefore: number) {
    this.#prunedBefore = prunedBefore;
  }

  see(recorded: Recorded<Concerned>): void {
    this.#followSwitch(recorded.event);
    const entry = entryOf(recorded);
    if (entry === null || (entry.type === 2 && !this.#logsCharges)) return;
    const seconds = Math.floor(timeOf(recorded) / 1000);
    const isPruned = (entry.type === 2 || entry.type === 5) && seconds < this.#prunedBefore;
    if (isPruned && entry.type === 5) return;
    const type = isPruned ? prunedCharge : entry.type;
    const sums = { quota: entry.quota ?? 0, tokens: entry.tokens ?? 0 };
    this.#byUser.add(entry.userId, type, sums);
    this.#byHour.add(Math.floor(seconds / 3600) * 3600, type, sums);
  }

  async compare(view: ReadModelView, findings: Findings): Promise<number> {
    const sources: readonly UsageSource[] = ['entries', 'site_hours', 'user_hours', 'hours'];
    let count = 0;
    for (const source of sources) {
      const hasPruned = source === 'hours';
      const byUser = view.usageByUser(source);
      if (byUser !== null) {
        const table = `usage_log.${source}/user`;
        const due = this.#byUser.copy(hasPruned);
        count += await compareSums({ findings, table, rows: byUser, due });
      }
      const table = `usage_log.${source}/hour`;
      const due = this.#byHour.copy(hasPruned);
      count += await compareSums({ findings, table, rows: view.usageByHour(source), due });
    }
    await reportMismatches(findings, view.usageMismatches());
    return count;
  }

  /** An operator may leave charges out of the log; the ledger has them all the same. */
  #followSwitch(event: Concerned): void {
    if (event.type === 'OptionChanged' && event.data.key === 'LogConsumeEnabled') {
      this.#logsCharges = event.data.value !== 'false';
    }
    if (event.type === 'OptionReset' && event.data.key === 'LogConsumeEnabled') {
      this.#logsCharges = true;
    }
  }
}
