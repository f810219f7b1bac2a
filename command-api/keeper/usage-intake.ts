import type {
  RequestFailedRecord,
  UsageLines,
  UsageRecord,
} from '../../domain/account/messages.ts';
import type { RelayId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Counter, Histogram } from '../../infra/ports/metrics.ts';
import type { AccountLanes } from './account-lanes.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { withoutTexts } from './personal-members.ts';
import { isSettleable, type Settleable, settlementWork } from './settlement.ts';
import type { SideStreams } from './side-streams.ts';
import type { TaskNotes } from './task-notes.ts';

type Settings = Readonly<{
  lanes: AccountLanes;
  watch: LeaseWatch;
  sideStreams: SideStreams;
  noteTasks: TaskNotes;
  clock: Clock;
  logger: Logger;
  charges: Counter;
  units: Counter;
  setAside: Counter;
  lagSeconds: Histogram;
}>;

/** Records of one account that are decided together; less than what the books remember by id. */
const largestWork = 128;
/** An append holds 256 works of this size and stays below the 1 MB that the log takes at once. */
const usualChars = 3_072;
/** Nothing that a relay writes is that long; the log would refuse it for ever. */
const longestLine = 256 * 1_024;

const kinds: ReadonlySet<unknown> = new Set(['started', 'used', 'failed', 'lost', 'lease-idle']);

const isRecord = (value: unknown): value is UsageRecord => {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<string, unknown>>;
  const hasCall = typeof record.call === 'object' && record.call !== null;
  return (
    kinds.has(record.kind) &&
    Number.isSafeInteger(record.userId) &&
    Number.isSafeInteger(record.sequence) &&
    typeof record.relayId === 'string' &&
    (hasCall || (record.kind !== 'used' && record.kind !== 'failed'))
  );
};

const recordsIn = (item: UsageLines | UsageRecord): readonly (string | UsageRecord)[] =>
  typeof item === 'string' ? item.split('\n') : [item];

const parse = (item: unknown): UsageRecord | null => {
  try {
    const value: unknown = typeof item === 'string' ? JSON.parse(item) : item;
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

const pushTo = <K, V>(groups: Map<K, V[]>, key: K, value: V): void => {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
};

type Sized = Readonly<{ record: Settleable; chars: number }>;
type Sorted = Readonly<{
  byUser: Map<UserId, Sized[]>;
  failedByRelay: Map<RelayId, RequestFailedRecord[]>;
  unreadable: unknown[];
  records: UsageRecord[];
}>;

/** Parts that one append can hold, in order. */
const partsOf = (records: readonly Sized[]): Sized[][] => {
  const parts: Sized[][] = [];
  let part: Sized[] = [];
  let chars = 0;
  for (const sized of records) {
    const isFull = part.length >= largestWork || chars + sized.chars > largestWork * usualChars;
    if (isFull && part.length > 0) {
      parts.push(part);
      part = [];
      chars = 0;
    }
    part.push(sized);
    chars += sized.chars;
  }
  if (part.length > 0) parts.push(part);
  return parts;
};

/** Takes a batch off the usage queue; resolves only when everything in it stands in the log. */
export const createUsageIntake = (settings: Settings) => {
  const { lanes, watch, sideStreams, noteTasks, clock, logger } = settings;

  const sort = (items: readonly (UsageLines | UsageRecord)[]): Sorted => {
    const sorted: Sorted = {
      byUser: new Map(),
      failedByRelay: new Map(),
      unreadable: [],
      records: [],
    };
    for (const item of items.flatMap(recordsIn)) {
      const record = parse(item);
      const chars = typeof item === 'string' ? item.length : usualChars;
      if (record === null || chars > longestLine) {
        sorted.unreadable.push(item);
        continue;
      }
      watch.follow(record);
      sorted.records.push(record);
      if (isSettleable(record)) pushTo(sorted.byUser, record.userId, { record, chars });
      else if (record.kind === 'failed') pushTo(sorted.failedByRelay, record.relayId, record);
    }
    return sorted;
  };

  const putAside = async (partition: number, reason: string, item: unknown): Promise<void> => {
    const record = parse(item);
    const told = record === null ? item : withoutTexts(record);
    const text = typeof told === 'string' ? told : JSON.stringify(told);
    logger.error({ partition, reason }, 'a usage record cannot be settled and was set aside');
    settings.setAside.inc();
    await sideStreams.setAside(partition, reason, text);
  };

  const settlePart = async (partition: number, userId: UserId, part: readonly Sized[]) => {
    const records = part.map(({ record }) => record);
    const work = settlementWork(records, clock().toISOString());
    const chars = part.reduce((sum, sized) => sum + sized.chars, 0);
    const size = Math.max(work.size, Math.ceil(chars / usualChars));
    const { value } = await lanes.do(userId, { ...work, size });
    settings.charges.inc(value.charged);
    settings.units.inc(value.units);
    for (const { record, reason } of value.faulty) await putAside(partition, reason, record);
    const last = records.at(-1);
    if (last?.kind !== 'used') return;
    const endedMs = Date.parse(last.call.startedAt) + last.call.durationMs;
    settings.lagSeconds.observe(Math.max(0, clock().getTime() - endedMs) / 1_000);
  };

  const settle = async (partition: number, userId: UserId, records: readonly Sized[]) => {
    for (const part of partsOf(records)) await settlePart(partition, userId, part);
  };

  return async (items: readonly (UsageLines | UsageRecord)[], partition: number): Promise<void> => {
    const { byUser, failedByRelay, unreadable, records } = sort(items);
    // All settle before any fault shows, so that a batch that comes again finds nothing half-done.
    const results = await Promise.allSettled([
      ...[...byUser].map(([userId, records]) => settle(partition, userId, records)),
      ...[...failedByRelay].map(([relayId, records]) => sideStreams.failed(relayId, records)),
      ...unreadable.map((item) => putAside(partition, 'unreadable', item)),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    await noteTasks(records);
  };
};
