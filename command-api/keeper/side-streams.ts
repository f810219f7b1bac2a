import type { UsageRecordSetAside } from '../../domain/account/dead-letter.ts';
import type { RequestFailedRecord } from '../../domain/account/messages.ts';
import type { RequestFailed } from '../../domain/relay/events.ts';
import { relayStreamId } from '../../domain/relay/stream.ts';
import type { Metadata } from '../../domain/shared/event.ts';
import type { RelayId, RequestId } from '../../domain/shared/ids.ts';
import type { EventStore, EventToAppend } from '../../infra/ports/event-store.ts';
import { causedMetadata } from '../shared/metadata.ts';
import { uuidFrom } from '../shared/uuid.ts';
import { FailureLog } from './failure-log.ts';

/** How long the error log of a relay is kept: 30 days. */
const errorLogSeconds = 30 * 86_400;
/** Longest text of an error that is kept, in characters. */
const maxMessage = 2_000;

const deadLetterStreamId = (partition: number): string => `usageSetAside-${partition}`;

const metadataFor = (cause: string, relayId: RelayId, occurredAt: string): Metadata =>
  causedMetadata({ kind: 'relay', id: relayId }, cause, occurredAt);

const failedEvent = (
  record: RequestFailedRecord,
  occurredAt: string,
): EventToAppend<RequestFailed> => {
  const { userId, call, statusCode, errorType, errorCode, message } = record;
  const data = {
    userId,
    call,
    statusCode,
    errorType,
    errorCode,
    message: message.slice(0, maxMessage),
  };
  return {
    event: { type: 'RequestFailed', data },
    eventId: uuidFrom(`failed/${call.requestId}`),
    metadata: metadataFor(call.requestId, record.relayId, occurredAt),
  };
};

/**
 * Streams in addition to the accounts: error logs of relays, and records that cannot be settled.
 */
export const createSideStreams = (eventStore: EventStore, clock: () => Date) => {
  const bounded = new Set<RelayId>();
  const failures = new FailureLog(eventStore);

  const boundOnce = async (relayId: RelayId): Promise<void> => {
    if (bounded.has(relayId)) return;
    await eventStore.boundStream(relayStreamId(relayId), { maxAgeSeconds: errorLogSeconds });
    if (bounded.size > 1_000) bounded.clear();
    bounded.add(relayId);
  };

  return {
    async failed(relayId: RelayId, records: readonly RequestFailedRecord[]): Promise<void> {
      await boundOnce(relayId);
      const occurredAt = clock().toISOString();
      const events = records.map((record) => failedEvent(record, occurredAt));
      await failures.append(relayId, events);
    },

    /** Those of these requests of the relay that are in its error log. */
    async failedAmong(
      relayId: RelayId,
      requestIds: ReadonlySet<RequestId>,
    ): Promise<ReadonlySet<RequestId>> {
      const failed = new Set<RequestId>();
      const newestFirst = { backwards: true };
      const stream = eventStore.readStream<RequestFailed>(relayStreamId(relayId), newestFirst);
      for await (const { event } of stream) {
        if (event.type !== 'RequestFailed') continue;
        const { requestId } = event.data.call;
        if (requestIds.has(requestId)) failed.add(requestId);
        if (failed.size === requestIds.size) break;
      }
      return failed;
    },

    async deadLetter(partition: number, reason: string, record: string): Promise<void> {
      const cause = uuidFrom(`set-aside/${record}`);
      const event: UsageRecordSetAside = { type: 'UsageRecordSetAside', data: { reason, record } };
      const metadata = metadataFor(cause, 'unknown', clock().toISOString());
      const toAppend = { event, eventId: cause, metadata };
      await eventStore.append(deadLetterStreamId(partition), [toAppend], 'any');
    },
  };
};

export type SideStreams = ReturnType<typeof createSideStreams>;
