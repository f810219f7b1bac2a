import persistentPb from '@eventstore/db-client/generated/persistent_pb.js';
import type { Log } from '../log/log.ts';
import type { Group } from '../persistent/group.ts';
import { allStream, type GroupSettings } from '../persistent/settings.ts';

export type SubscriptionInfo = InstanceType<typeof persistentPb.SubscriptionInfo>;

/** Places as text: a revision, or both halves of a position; '' when there is none. */
const placeText = (isAll: boolean, place: number | null): string => {
  if (place === null) return '';
  return isAll ? `C:${place}/P:${place}` : String(place);
};

const startText = (isAll: boolean, startFrom: GroupSettings['startFrom']): string => {
  const place = startFrom === 'start' ? 0 : startFrom === 'end' ? -1 : startFrom;
  return placeText(isAll, place);
};

const lastKnown = async (log: Log, stream: string): Promise<number | null> => {
  if (stream === allStream) return log.commits.head;
  const { lastRevision } = await log.state(stream);
  return lastRevision < 0 ? null : lastRevision;
};

const addConnections = (info: SubscriptionInfo, group: Group): void => {
  for (const consumer of group.consumers) {
    const connection = new persistentPb.SubscriptionInfo.ConnectionInfo();
    connection.setFrom(consumer.from);
    connection.setUsername('anonymous');
    connection.setConnectionName(consumer.name);
    connection.setTotalItems(String(consumer.totalItems));
    connection.setCountSinceLastMeasurement('0');
    connection.setAvailableSlots(consumer.bufferSize - consumer.inFlight.size);
    connection.setInFlightMessages(consumer.inFlight.size);
    info.addConnections(connection);
  }
};

const addSettings = (info: SubscriptionInfo, settings: GroupSettings): void => {
  info.setResolveLinkTos(settings.resolveLinks);
  info.setExtraStatistics(settings.extraStatistics);
  info.setMessageTimeoutMilliseconds(settings.messageTimeoutMs);
  info.setMaxRetryCount(settings.maxRetryCount);
  info.setCheckPointAfterMilliseconds(settings.checkpointAfterMs);
  info.setMinCheckPointCount(settings.minCheckpointCount);
  info.setMaxCheckPointCount(settings.maxCheckpointCount);
  info.setMaxSubscriberCount(settings.maxSubscriberCount);
  info.setLiveBufferSize(settings.liveBufferSize);
  info.setReadBatchSize(settings.readBatchSize);
  info.setBufferSize(settings.historyBufferSize);
  info.setNamedConsumerStrategy(settings.strategy);
};

export const infoOf = async (log: Log, group: Group): Promise<SubscriptionInfo> => {
  const { key, settings, counts } = group;
  const isAll = key.stream === allStream;
  const info = new persistentPb.SubscriptionInfo();
  info.setEventSource(key.stream);
  info.setGroupName(key.group);
  info.setStatus('Live');
  info.setStartFrom(startText(isAll, settings.startFrom));
  info.setLastCheckpointedEventPosition(placeText(isAll, counts.checkpoint));
  info.setLastKnownEventPosition(placeText(isAll, await lastKnown(log, key.stream)));
  info.setTotalItems(String(counts.totalItems));
  info.setCountSinceLastMeasurement('0');
  info.setAveragePerSecond(0);
  info.setReadBufferCount(counts.waiting);
  info.setLiveBufferCount('0');
  info.setRetryBufferCount(counts.retries);
  info.setTotalInFlightMessages(counts.inFlight);
  info.setOutstandingMessagesCount(counts.inFlight);
  info.setParkedMessageCount(String(await group.parking.count()));
  addSettings(info, settings);
  addConnections(info, group);
  return info;
};
