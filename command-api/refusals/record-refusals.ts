import {
  type CallsRefused,
  type RefusalsRecorded,
  type RefusedCalls,
  refusalSeconds,
  refusalsStreamId,
  refusedSubject,
} from '../../domain/relay/refusals.ts';
import type { Bus, Stop } from '../../infra/ports/bus.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import type { EventStore, EventToAppend } from '../../infra/ports/event-store.ts';
import { appendAfter } from '../commands/append.ts';
import { causedMetadata } from '../shared/metadata.ts';
import { uuidFrom } from '../shared/uuid.ts';

type Deps = Readonly<{ bus: Bus; eventStore: EventStore; clock: Clock }>;

const eventOf = (
  { relayId, sequence, refusals }: RefusedCalls,
  clock: Clock,
): EventToAppend<CallsRefused> => {
  const eventId = uuidFrom(`refused/${relayId}/${sequence}`);
  return {
    event: { type: 'CallsRefused', data: { relayId, refusals } },
    eventId,
    metadata: causedMetadata({ kind: 'relay', id: relayId }, eventId, clock().toISOString()),
  };
};

/** Revision of the newest event of a stream that is still kept; -1: none is. */
const newestRevision = async (eventStore: EventStore, streamId: string): Promise<bigint> => {
  let newest = -1n;
  const note = ({ revision }: Readonly<{ revision: bigint }>): void => {
    if (revision > newest) newest = revision;
  };
  const options = { backwards: true, maxCount: 1, onUnreadable: note };
  for await (const recorded of eventStore.readStream(streamId, options)) note(recorded);
  return newest;
};

/** The sequence number of a relay is the revision of the event, so that a repeated request is found. */
const record = async ({ eventStore, clock }: Deps, refused: RefusedCalls): Promise<void> => {
  const { relayId, sequence } = refused;
  const streamId = refusalsStreamId(relayId);
  if (sequence === 0) await eventStore.boundStream(streamId, { maxAgeSeconds: refusalSeconds });
  const event = eventOf(refused, clock);
  const revision = BigInt(sequence) - 1n;
  if ((await appendAfter(eventStore, { streamId, revision }, [event])) !== 'conflict') return;
  if ((await newestRevision(eventStore, streamId)) >= BigInt(sequence)) return;
  // The log is older than the relay, as after a restore.
  await eventStore.append(streamId, [event], 'any');
};

/** Records the calls that relays refuse, one event for each request of a relay. */
export const serveRefusals = (deps: Deps): Promise<Stop> =>
  deps.bus.serve<RefusedCalls, RefusalsRecorded>(refusedSubject, async (refused) => {
    await record(deps, refused);
    return { sequence: refused.sequence };
  });
