import { createRequire } from 'node:module';
import {
  ANY,
  type EventData,
  EventStoreDBClient,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { Event, Recorded } from '../../domain/shared/event.ts';
import { LogGuard } from '../../domain/shared/log-place.ts';
import {
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type ReadAllOptions,
  WrongExpectedRevisionError,
} from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { Decoder } from './decoder.ts';
import { textsOf } from './event-texts.ts';
import { withTimeout } from './patience.ts';
import { eventOfTexts, writeProposedMessagesOnce } from './proposed-message.ts';
import { readEventFramesInPlace } from './read-response.ts';
import { head, readAll, readStream } from './reading.ts';
import { retrying } from './retry.ts';
import { connectionStringOf } from './socket-address.ts';
import { subscribeToAll } from './subscribe-to-all.ts';
import type { UnreadableEvents } from './unreadable-events.ts';
import { widenFlowWindow } from './wide-window.ts';

/** Closing waits until open calls are cancelled; a dead connection may never report it. */
const closeMs = 3_000;

/**
 * `appendToStream` of the client, where the store accepts appends in batches; the client would
 * query that first. Every EventStoreDB from 21.10 on does.
 */
const { batchAppend } = createRequire(import.meta.url)(
  '@eventstore/db-client/dist/streams/appendToStream/batchAppend.js',
) as typeof import('@eventstore/db-client/dist/streams/appendToStream/batchAppend.js');

/** Bytes of one request, as the client has it; an append of more is sent as several. */
const batchAppendSize = 3 * 1024 * 1024;

/** Without a decoder no event is unreadable. */
const noted = (): void => undefined;

const toWire = (appended: EventToAppend): EventData =>
  eventOfTexts(appended.eventId, appended.event.type, textsOf(appended));

const toExpected = (expected: ExpectedRevision) => {
  if (expected === 'any') return ANY;
  if (expected === 'no-stream') return NO_STREAM;
  return expected === 'stream-exists' ? STREAM_EXISTS : expected;
};

export type EventStoreOptions = Readonly<{
  /** As for the client, or that of a socket (`socketUrl`). */
  url: string;
  logger: Logger;
  /** Of a log that is the product's; without it every event counts as readable. */
  events?: Readonly<{ decode: Decoder; unreadable: UnreadableEvents }>;
}>;

/**
 * The port over the official client. One per process: the client keeps its open appends in one map
 * for the whole process, and a broken connection of one client rejects the appends of all.
 */
export const createEventStore = (options: EventStoreOptions): EventStore => {
  writeProposedMessagesOnce();
  readEventFramesInPlace();
  widenFlowWindow();
  const client = EventStoreDBClient.connectionString(connectionStringOf(options.url));
  const { logger, events: own } = options;
  const reading = { decode: own?.decode ?? null, onUnreadable: own?.unreadable.note ?? noted };
  const source = { client, reading };
  const log = {
    head: () => head(source),
    readAll: (read: ReadAllOptions) => readAll(source, read),
  };
  const guard = new LogGuard(log, () => performance.now());
  const context = { ...source, logger, log, guard };

  const append = async (
    streamId: string,
    events: readonly EventToAppend[],
    expectedRevision: ExpectedRevision,
  ): Promise<AppendResult> => {
    const wire = events.map(toWire);
    const eventIds = events.map(({ eventId }) => eventId);
    const once = async (): Promise<AppendResult> => {
      const { nextExpectedRevision, position } = await batchAppend.call(client, streamId, wire, {
        expectedRevision: toExpected(expectedRevision),
        batchAppendSize,
      });
      return { revision: nextExpectedRevision, position: position?.commit ?? 0n };
    };
    try {
      return await retrying(() => guard.append(eventIds, once));
    } catch (error) {
      if (error instanceof WrongExpectedVersionError || error instanceof StreamDeletedError) {
        throw new WrongExpectedRevisionError(streamId);
      }
      throw error;
    }
  };

  const boundStream: EventStore['boundStream'] = async (streamId, bounds) => {
    const current = await retrying(() => client.getStreamMetadata(streamId));
    const maxCount = bounds.maxCount ?? current.metadata?.maxCount;
    const maxAge = bounds.maxAgeSeconds ?? current.metadata?.maxAge;
    const isBound = current.metadata?.maxCount === maxCount && current.metadata?.maxAge === maxAge;
    if (isBound) return;
    const metadata = {
      ...(maxCount === undefined ? {} : { maxCount }),
      ...(maxAge === undefined ? {} : { maxAge }),
    };
    await retrying(() => client.setStreamMetadata(streamId, metadata));
  };

  const tombstoneStream = async (streamId: string): Promise<void> => {
    try {
      await retrying(() => client.tombstoneStream(streamId));
    } catch (error) {
      const isGone =
        error instanceof WrongExpectedVersionError || error instanceof StreamDeletedError;
      if (!isGone) throw error;
    }
  };

  return {
    append,
    // The caller names the events that its stream contains.
    readStream: <E extends Event>(streamId: string, read = {}) =>
      readStream(context, streamId, read) as AsyncIterable<Recorded<E>>,
    readAll: (read = {}) => readAll(context, read),
    subscribeToAll: (subscription) => subscribeToAll(context, subscription),
    head: () => head(context),
    boundStream,
    tombstoneStream,
    close: () => withTimeout(client.dispose(), closeMs).catch(() => undefined),
  };
};
