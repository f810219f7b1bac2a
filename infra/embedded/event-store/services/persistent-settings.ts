import type { CreateReq, UpdateReq } from '@eventstore/db-client/generated/persistent_pb.js';
import type { FilterSpec } from '../log/filters.ts';
import type { Log } from '../log/log.ts';
import type { GroupKey, GroupSettings, Strategy } from '../persistent/settings.ts';
import { allStream } from '../persistent/settings.ts';
import { invalidArgument } from '../wire/errors.ts';
import { safeNumber, streamNameOf } from './append.ts';
import { filterOf, filterSpecOf } from './read-plan.ts';

type Options = CreateReq.Options | UpdateReq.Options;
type Settings = CreateReq.Settings | UpdateReq.Settings;

const ticksPerMillisecond = 10_000;
/** The end of a stream in the older field: the largest uint64. */
const endOfStream = '18446744073709551615';
const strategyNumbers: readonly Strategy[] = ['DispatchToSingle', 'RoundRobin', 'Pinned'];

const strategyOf = (settings: Settings): Strategy => {
  const name = 'getConsumerStrategy' in settings ? settings.getConsumerStrategy() : '';
  const named = strategyNumbers.find((strategy) => strategy === name);
  return named ?? strategyNumbers[settings.getNamedConsumerStrategy()] ?? 'RoundRobin';
};

const startOf = (options: Options, settings: Settings): GroupSettings['startFrom'] => {
  const chosen = options.getAll() ?? options.getStream();
  if (chosen?.hasStart()) return 'start';
  if (chosen?.hasEnd()) return 'end';
  const position = options.getAll()?.getPosition()?.getCommitPosition();
  const text = position ?? options.getStream()?.getRevision() ?? settings.getRevision();
  if (text === endOfStream) return 'end';
  return text === '0' ? 'start' : safeNumber(text);
};

/** @throws ServiceError */
export const keyOf = (
  options: Readonly<{
    hasAll: () => boolean;
    getGroupName: () => string;
    getStreamIdentifier: () => { getStreamName_asU8: () => Uint8Array } | undefined;
    getStream?: () => Parameters<typeof streamNameOf>[0] | undefined;
  }>,
): GroupKey => {
  const group = options.getGroupName();
  if (group === '' || group.includes('\0')) throw invalidArgument('invalid group name');
  if (options.hasAll()) return { stream: allStream, group };
  return { stream: streamNameOf(options.getStream?.() ?? options), group };
};

const startAfterOf = async (
  log: Log,
  { stream }: GroupKey,
  startFrom: GroupSettings['startFrom'],
): Promise<number> => {
  const isAll = stream === allStream;
  if (startFrom === 'start') return isAll ? 0 : -1;
  if (startFrom !== 'end') return startFrom - 1;
  return isAll ? log.commits.head : (await log.state(stream)).lastRevision;
};

const filterSpec = (options: Options): FilterSpec | null => {
  const all = options.getAll();
  if (all === undefined || !('getFilter' in all)) return null;
  const filter = all.getFilter();
  // Made once here only to refuse an expression that is none.
  filterOf(filter);
  return filter === undefined ? null : filterSpecOf(filter);
};

/** @throws ServiceError */
export const settingsOf = async (log: Log, options: Options): Promise<GroupSettings> => {
  const settings = options.getSettings();
  if (settings === undefined) throw invalidArgument('no settings');
  const startFrom = startOf(options, settings);
  return {
    startFrom,
    startAfter: await startAfterOf(log, keyOf(options), startFrom),
    resolveLinks: settings.getResolveLinks(),
    extraStatistics: settings.getExtraStatistics(),
    messageTimeoutMs: settings.hasMessageTimeoutTicks()
      ? Number(settings.getMessageTimeoutTicks()) / ticksPerMillisecond
      : settings.getMessageTimeoutMs(),
    maxRetryCount: settings.getMaxRetryCount(),
    checkpointAfterMs: settings.hasCheckpointAfterTicks()
      ? Number(settings.getCheckpointAfterTicks()) / ticksPerMillisecond
      : settings.getCheckpointAfterMs(),
    minCheckpointCount: settings.getMinCheckpointCount(),
    maxCheckpointCount: settings.getMaxCheckpointCount(),
    maxSubscriberCount: settings.getMaxSubscriberCount(),
    liveBufferSize: settings.getLiveBufferSize(),
    readBatchSize: settings.getReadBatchSize(),
    historyBufferSize: settings.getHistoryBufferSize(),
    strategy: strategyOf(settings),
    filter: filterSpec(options),
  };
};
