import type {
  RequestFailedRecord,
  UsageBatch,
  UsageLines,
  UsageRecord,
  UsageSettled,
} from '../../domain/account/messages.ts';
import type { RelayId, RequestId, UserId } from '../../domain/shared/ids.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { Counter, Histogram } from '../../infra/ports/metrics.ts';
import type { LogTracing } from '../../infra/ports/tracing.ts';
import type { AccountQueues } from './account-queues.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { withoutTexts } from './redact.ts';
import {
  isSettleable,
  type Settleable,
  type Settled,
  settlementWork,
  skipWork,
} from './settlement.ts';
import type { SideStreams } from './side-streams.ts';
import { type TaskNotes, taskIdOf } from './task-notes.ts';
import { linesOf, recordOf } from './usage-lines.ts';

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
  tracing?: LogTracing | null;
  onSettled: (settled: UsageSettled) => void;
}>;

/** Records of one account that are decided together. */
const maxWork = 128;
/** An append holds 256 works of this size and stays below the 1 MB that the log takes at once. */
const defaultChars = 3_072;
/** Nothing that a relay writes is that long; the log would refuse it for ever. */
const maxLine = 256 * 1_024;

const pushTo = <K, V>(groups: Map<K, V[]>, key: K, value: V): void => {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
};

type Sized = Readonly<{ record: Settleable; chars: number; isOldest: boolean }>;
type Sorted = Readonly<{
  byUser: Map<UserId, Sized[]>;
  failedByRelay: Map<RelayId, RequestFailedRecord[]>;
  unreadable: unknown[];
  records: UsageRecord[];
  /** Whose usage each batch brings; a batch with an unreadable record is not among them. */
  usersByBatch: Map<UsageBatch, Set<UserId>>;
}>;

const nothingSorted = (): Sorted => ({
  byUser: new Map(),
  failedByRelay: new Map(),
  unreadable: [],
  records: [],
  usersByBatch: new Map(),
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

/** Takes a batch off the usage queue; resolves only when everything in it is in the log. */
export const createUsageIntake = (settings: Settings) => {
  const { queues, watch, sideStreams, noteTasks, clock, logger, tracing } = settings;

  /** The account that the record is of; null where it cannot be read. */
  const sortOne = (
    sorted: Sorted,
    item: string | UsageRecord,
    isOldest: boolean,
  ): UserId | null => {
    const record = recordOf(item);
    const chars = typeof item === 'string' ? item.length : defaultChars;
    if (record === null || chars > maxLine) {
      sorted.unreadable.push(item);
      return null;
    }
    watch.follow(record);
    sorted.records.push(record);
    if (isSettleable(record)) pushTo(sorted.byUser, record.userId, { record, chars, isOldest });
    else if (record.kind === 'failed') pushTo(sorted.failedByRelay, record.relayId, record);
    return record.userId;
  };

  const sort = (items: readonly (UsageLines | UsageRecord)[]): Sorted => {
    const sorted = nothingSorted();
    for (const { batch, records } of items.map(linesOf)) {
      const isOldest = batch?.isOldest === true;
      const users = new Set(records.map((record) => sortOne(sorted, record, isOldest)));
      // The relay sends such a batch again: what it wrote can be read.
      if (batch !== null && !users.has(null)) {
        sorted.usersByBatch.set(batch, users as Set<UserId>);
      }
    }
    return sorted;
  };

  const writeDeadLetter = async (
    partition: number,
    reason: string,
    item: unknown,
  ): Promise<void> => {
    const record = recordOf(item);
    const reported = record === null ? item : withoutTexts(record);
    const text = typeof reported === 'string' ? reported : JSON.stringify(reported);
    logger.error({ partition, reason }, 'a usage record cannot be settled and was set aside');
    settings.deadLetter.inc();
    await sideStreams.deadLetter(partition, reason, text);
  };

  /** Set aside first, then passed over: whatever dies in between, the record is not lost. */
  const writeAndSkip = async (
    partition: number,
    { record, reason }: Settled['faulty'][number],
  ): Promise<boolean> => {
    await writeDeadLetter(partition, reason, record);
    const isNumbered = 'usageNumber' in record && record.usageNumber !== undefined;
    if (!isNumbered) return false;
    const occurredAt = clock().toISOString();
    const { value } = await queues.do(record.userId, skipWork(record, { reason, occurredAt }));
    return value;
  };

  const measure = ({ charged, units }: Settled, last: Settleable | undefined): void => {
    settings.charges.inc(charged);
    settings.units.inc(units);
    if (last?.kind !== 'used') return;
    const endedMs = Date.parse(last.call.startedAt) + last.call.durationMs;
    settings.lagSeconds.observe(Math.max(0, clock().getTime() - endedMs) / 1_000);
  };

  /** Those of them that wait for a number before their own; the others are settled. */
  const settlePart = async (
    partition: number,
    userId: UserId,
    part: readonly Sized[],
  ): Promise<readonly Settleable[]> => {
    const records = part.map(({ record }) => record);
    const chars = part.reduce((sum, sized) => sum + sized.chars, 0);
    const oldest = new Set(part.filter(({ isOldest }) => isOldest).map(({ record }) => record));
    for (;;) {
      const sinceMs = tracing?.now() ?? 0;
      const work = settlementWork(records, clock().toISOString(), oldest);
      const size = Math.max(work.size, Math.ceil(chars / defaultChars));
      const { value } = await queues.do(userId, { ...work, size });
      measure(value, records.at(-1));
      tracing?.settled(value.requests, sinceMs);
      let hasPassed = false;
      for (const faulty of value.faulty) {
        hasPassed = (await writeAndSkip(partition, faulty)) || hasPassed;
      }
      if (!hasPassed) return value.waiting;
    }
  };

  const settle = async (
    partition: number,
    userId: UserId,
    records: readonly Sized[],
  ): Promise<readonly Settleable[]> => {
    const waiting: Settleable[] = [];
    for (const part of partsOf(records)) {
      waiting.push(...(await settlePart(partition, userId, part)));
    }
    return waiting;
  };

  /** A damaged journal may have lost the failure of a request that its error log holds. */
  const withoutFailed = async (byUser: Sorted['byUser']): Promise<Sorted['byUser']> => {
    const lostByRelay = new Map<RelayId, RequestId[]>();
    for (const { record } of [...byUser.values()].flat()) {
      if (record.kind === 'lost') pushTo(lostByRelay, record.relayId, record.requestId);
    }
    if (lostByRelay.size === 0) return byUser;
    const lists = [...lostByRelay].map(([relayId, ids]) =>
      sideStreams.failedAmong(relayId, new Set(ids)),
    );
    const failed = new Set((await Promise.all(lists)).flatMap((ids) => [...ids]));
    const isOpen = ({ record }: Sized): boolean =>
      record.kind !== 'lost' || !failed.has(record.requestId);
    return new Map([...byUser].map(([userId, records]) => [userId, records.filter(isOpen)]));
  };

  const announce = (
    partition: number,
    { usersByBatch }: Sorted,
    waiting: ReadonlySet<UserId | null>,
  ): void => {
    const settled = new Map<RelayId, number[]>();
    const held = new Map<RelayId, number[]>();
    for (const [{ relayId, batch }, users] of usersByBatch) {
      const isWaiting = [...users].some((userId) => waiting.has(userId));
      pushTo(isWaiting ? held : settled, relayId, batch);
    }
    for (const relayId of new Set([...settled.keys(), ...held.keys()])) {
      const batches = settled.get(relayId) ?? [];
      const own = held.get(relayId);
      settings.onSettled({ relayId, partition, batches, ...(own && { waiting: own }) });
    }
  };

  return async (items: readonly (UsageLines | UsageRecord)[], partition: number): Promise<void> => {
    const sorted = sort(items);
    const { failedByRelay, unreadable, records } = sorted;
    const byUser = await withoutFailed(sorted.byUser);
    // All settle before any fault is thrown, so that a repeated batch finds nothing half-done.
    const settling = [...byUser].map(([userId, ofUser]) => settle(partition, userId, ofUser));
    const results = await Promise.allSettled([
      ...settling,
      ...[...failedByRelay].map(([relayId, ofRelay]) => sideStreams.failed(relayId, ofRelay)),
      ...unreadable.map((item) => writeDeadLetter(partition, 'unreadable', item)),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const waiting = (await Promise.all(settling)).flat();
    // A waiting record is sent again, and a task must not end before it is charged.
    const waitingTasks = new Set(waiting.map(taskIdOf));
    await noteTasks(records.filter((record) => !waitingTasks.has(taskIdOf(record))));
    announce(partition, sorted, new Set(waiting.map(({ userId }) => userId)));
  };
};
