import type { AccountEvent, GrantSource } from '../../../domain/account/events.ts';
import type { ChannelEvent } from '../../../domain/channel/events.ts';
import type { RedemptionEvent } from '../../../domain/redemption/events.ts';
import type { RelayEvent } from '../../../domain/relay/events.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { SiteEvent } from '../../../domain/site/events.ts';
import type { UserEvent } from '../../../domain/user/events.ts';
import type { ReadModelView, UsageSource } from '../../ports/read-models.ts';
import type { Findings } from '../findings.ts';
import type { Expectation } from './expectation.ts';
import { compareSums, type EntryType, Margin, prunedCharge, reportSlips } from './usage-sums.ts';

type Told = AccountEvent | RelayEvent | SiteEvent | UserEvent;
type Managed = ChannelEvent | RedemptionEvent | SiteEvent | UserEvent;
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

/** What an administrator does: of a user in that user's log, all else in the administrator's own. */
const managed: ReadonlySet<string> = new Set<Managed['type']>([
  'UserRegistered',
  'UserGroupChanged',
  'UserPromoted',
  'UserDemoted',
  'UserDisabled',
  'UserEnabled',
  'UserDeleted',
  'PasswordReset',
  'OptionChanged',
  'SecretOptionChanged',
  'OptionReset',
  'ChannelCreated',
  'ChannelChanged',
  'ChannelKeyReplaced',
  'ChannelEnabled',
  'ChannelDisabled',
  'ChannelTagged',
  'ChannelDeleted',
  'RedemptionCreated',
  'RedemptionChanged',
  'RedemptionEnabled',
  'RedemptionDisabled',
  'RedemptionDeleted',
]);

/** The entry that an event makes in the usage log, if it makes one. */
const entryOf = (event: Told): Entry | null => {
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
    default:
      return null;
  }
};

/**
 * Sums of the usage log, by user and by hour, for each type of entry. Remembers one row for each
 * user and one for each hour. `prunedBefore` in Unix seconds: charges and errors older than that
 * are out of the log by order of an operator.
 */
export class ExpectedUsage implements Expectation {
  readonly name = 'usage-log';
  readonly #byUser = new Margin();
  readonly #byHour = new Margin();
  readonly #prunedBefore: number;
  #logsCharges = true;

  constructor(prunedBefore: number) {
    this.#prunedBefore = prunedBefore;
  }

  see(recorded: Recorded): void {
    const event = recorded.event as Told;
    this.#followSwitch(event);
    const { actor, occurredAt } = recorded.metadata;
    const isManaged = managed.has(event.type) && actor.kind === 'admin';
    const { userId = Number(actor.id) } = event.data as { userId?: number };
    const entry: Entry | null = isManaged ? { type: 3, userId } : entryOf(event);
    if (entry === null || (entry.type === 2 && !this.#logsCharges)) return;
    const seconds = Math.floor(Date.parse(occurredAt) / 1000);
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
    await reportSlips(findings, view.usageSlips());
    return count;
  }

  /** An operator may leave charges out of the log; the ledger has them all the same. */
  #followSwitch(event: Told): void {
    if (event.type === 'OptionChanged' && event.data.key === 'LogConsumeEnabled') {
      this.#logsCharges = event.data.value !== 'false';
    }
    if (event.type === 'OptionReset' && event.data.key === 'LogConsumeEnabled') {
      this.#logsCharges = true;
    }
  }
}
