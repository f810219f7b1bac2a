import type {
  RequestFailedRecord,
  UsageLines,
  UsageRecord,
} from '../../domain/account/messages.ts';
import type { RelayId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Counter, Histogram } from '../../infra/ports/metrics.ts';
import type { AccountQueues } from './account-queues.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { withoutTexts } from './redact.ts';
import { isSettleable, type Settleable, settlementWork } from './settlement.ts';
import type { SideStreams } from './side-streams.ts';
import type { TaskNotes } from './task-notes.ts';

type Settings = Readonly<{
  queues: AccountQueues;
  watch: LeaseWatch;
  sideStreams: SideStreams;
  noteTasks: TaskNotes;
  clock: Clock;
  logger: Logger;
  charges: Counter;
  units: Counter;
  deadLetter: Counter;
  lagSeconds: Histogram;
}>;

/** Records of one account that are decided together; less than what an account remembers by id. */
const maxWork = 128;
/** An append holds 256 works of this size and stays below the 1 MB that the log takes at once. */
const defaultChars = 3_072;
/** Nothing that a relay writes is that long; the log would refuse it for ever. */
const maxLine = 256 * 1_024;

const kinds: ReadonlySet<unknown> = new Set(['started', 'used', 'failed', 'lost', 'lease-idle']);

const kindsWithCall: ReadonlySet<unknown> = new Set(['used', 'failed']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isNumbered = ({ userId, sequence, relayId }: Readonly<Record<string, unknown>>): boolean =>
  Number.isSafeInteger(userId) && Number.isSafeInteger(sequence) && typeof relayId === 'string';

const isRecord = (value: unknown): value is UsageRecord => {
  if (!isObject(value) || !kinds.has(value.kind) || !isNumbered(value)) return false;
  return isObject(value.call) || !kindsWithCall.has(value.kind);
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

const nothingSorted = (): Sorted => ({
  byUser: new Map(),
  failedByRelay: new Map(),
  unreadable: [],
  records: [],
});

/** Parts that one append can hold, in order. */
const partsOf = (records: readonly Sized[]): Sized[][] => {
  const parts: Sized[][] = [];
  let part: Sized[] = [];
  let chars = 0;
  for (const sized of records) {
    const isFull = part.length >= maxWork || chars + sized.chars > maxWork * defaultChars;
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
  const { queues, watch, sideStreams, noteTasks, clock, logger } = settings;

  const sortOne = (sorted: Sorted, item: string | UsageRecord): void => {
    const record = parse(item);
    const chars = typeof item === 'string' ? item.length : defaultChars;
    if (record === null || chars > maxLine) {
      sorted.unreadable.push(item);
      return;
    }
    watch.follow(record);
    sorted.records.push(record);
    if (isSettleable(record)) pushTo(sorted.byUser, record.userId, { record, chars });
    else if (record.kind === 'failed') pushTo(sorted.failedByRelay, record.relayId, record);
  };

  const sort = (items: readonly (UsageLines | UsageRecord)[]): Sorted => {
    const sorted = nothingSorted();
    for (const item of items.flatMap(recordsIn)) sortOne(sorted, item);
    return sorted;
  };

  const writeDeadLetter = async (
    partition: number,
    reason: string,
    item: unknown,
  ): Promise<void> => {
    const record = parse(item);
    const reported = record === null ? item : withoutTexts(record);
    const text = typeof reported === 'string' ? reported : JSON.stringify(reported);
    logger.error({ partition, reason }, 'a usage record cannot be settled and was set aside');
    settings.deadLetter.inc();
    await sideStreams.deadLetter(partition, reason, text);
  };

  const settlePart = async (partition: number, userId: UserId, part: readonly Sized[]) => {
    const records = part.map(({ record }) => record);
    const work = settlementWork(records, clock().toISOString());
    const chars = part.reduce((sum, sized) => sum + sized.chars, 0);
    const size = Math.max(work.size, Math.ceil(chars / defaultChars));
    const { value } = await queues.do(userId, { ...work, size });
    settings.charges.inc(value.charged);
    settings.units.inc(value.units);
    for (const { record, reason } of value.faulty) await writeDeadLetter(partition, reason, record);
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
      ...unreadable.map((item) => writeDeadLetter(partition, 'unreadable', item)),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    await noteTasks(records);
  };
};
